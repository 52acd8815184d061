// Stands in, in every bundle, for parts of the SDK that no function of Baton can reach (see infra/bundle.ts): event streams,
// which none of its operations has, and the cache of discovered endpoints, which DynamoDB does not need. Some 20 KB a bundle.

const absent = (what: string) => () => {
  throw new Error(`${what} is not part of this bundle`);
};

/** In place of `@smithy/core/event-streams`. */
export const eventStreamSerdeProvider = absent('the event stream protocol');
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config;
export class EventStreamSerde {
  constructor() {
    eventStreamSerdeProvider();
  }
}

/** In place of `mnemonist/lru-cache`, whose place in the SDK is filled and never read; so it holds nothing. */
// biome-ignore lint/style/noDefaultExport: the package it stands for has one
export default class {
  has = (): boolean => false;
  get = (): undefined => undefined;
  peek = (): undefined => undefined;
  set = (): void => {};
  clear = (): void => {};
}
