import { synthesize } from '../../infra/synth.ts';

/** Brings cdk.out up to date once, before any story boots it. */
export default async function setup(): Promise<void> {
  await synthesize();
}
