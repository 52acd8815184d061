export type Route = { routeKey: string; method: string; segments: string[]; integrationId: string };
export type RouteMatch = { route: Route; pathParameters: Record<string, string> };

/** Reads a route key such as `POST /in/{source}`, `ANY /a/{proxy+}` or `$default`. */
export function readRoute(routeKey: string, integrationId: string): Route {
  if (routeKey === '$default') return { routeKey, method: 'ANY', segments: ['{proxy+}'], integrationId };
  const [, method = '', path = ''] = /^([A-Z]+) (\/\S*)$/.exec(routeKey) ?? [];
  if (method === '') throw new Error(`route key ${routeKey} is not supported (supported: "METHOD /path", "ANY /path", "$default")`);
  return { routeKey, method, segments: segmentsOf(path), integrationId };
}

/** The most specific route for a request: fixed segments before variables before greedy ones, then the method before ANY, `$default` last. */
export function matchRoute(routes: readonly Route[], method: string, path: string): RouteMatch | undefined {
  const matches = routes
    .filter((route) => route.method === 'ANY' || route.method === method)
    .flatMap((route) => {
      const pathParameters = parametersOf(route, path);
      return pathParameters ? [{ route, pathParameters }] : [];
    });
  return matches.sort((a, b) => compareSpecificity(rank(b.route), rank(a.route)))[0];
}

const segmentsOf = (path: string): string[] => path.split('/').slice(1);
const escaped = (segment: string): string => segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const isGreedy = (segment: string): boolean => /^\{.+\+\}$/.test(segment);
const isVariable = (segment: string): boolean => /^\{.+\}$/.test(segment);

function parametersOf(route: Route, path: string): Record<string, string> | undefined {
  if (route.routeKey === '$default') return {};
  const pattern = route.segments.map((segment) => (isGreedy(segment) ? '(.+)' : isVariable(segment) ? '([^/]+)' : escaped(segment))).join('/');
  const found = new RegExp(`^/${pattern}$`).exec(path);
  if (!found) return undefined;
  const names = route.segments.filter(isVariable).map((segment) => segment.replace(/^\{|\+?\}$/g, ''));
  return Object.fromEntries(names.map((name, at) => [name, decoded(found[at + 1] ?? '')]));
}

function rank({ routeKey, segments, method }: Route): number[] {
  if (routeKey === '$default') return [-1];
  return [...segments.map((segment) => (isGreedy(segment) ? 1 : isVariable(segment) ? 2 : 3)), method === 'ANY' ? 0 : 0.5];
}

function compareSpecificity(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
