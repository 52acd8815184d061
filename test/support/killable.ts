// A process that ends in the middle: from one call on, none of its ports answers any more.

type Ports = Record<string, unknown>;

/** The same ports, which die at a step: before the call does anything, or after it did and before its answer is heard. `steps` tells how many calls there were. */
export function killable<T extends Ports>(ports: T, { step, when }: { step: number; when: 'before' | 'after' }): { deps: T; steps: () => number } {
  let calls = 0;
  let dead = false;
  const die = (): never => {
    dead = true;
    throw new Error('the process has ended');
  };
  const guarded =
    (call: (...args: unknown[]) => unknown, owner: object) =>
    async (...args: unknown[]): Promise<unknown> => {
      if (dead) die();
      const mine = calls;
      calls += 1;
      if (mine === step && when === 'before') die();
      const answer = await call.apply(owner, args);
      return dead || mine === step ? die() : answer;
    };
  const port = (owner: object): object =>
    Object.fromEntries(
      Object.entries(owner).map(([name, member]) => [name, typeof member === 'function' && name !== 'now' ? guarded(member as (...args: unknown[]) => unknown, owner) : member]),
    );
  const entries = Object.entries(ports).map(([name, owner]) => [name, typeof owner === 'object' && owner !== null ? port(owner) : owner]);
  return { deps: Object.fromEntries(entries) as T, steps: () => calls };
}
