import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits until something outside our control is true: another program's start, a foreign emulator's delivery.
 * For our own runtime use its time instead. Throws with the last reason when the bound passes.
 */
export async function eventually<T>(what: string, boundSeconds: number, check: () => Promise<T | false | undefined>): Promise<T> {
  const end = performance.now() + boundSeconds * 1000;
  let reason: unknown = 'it stayed untrue';
  while (performance.now() < end) {
    try {
      const value = await check();
      if (value !== false && value !== undefined) return value;
    } catch (error) {
      reason = error;
    }
    await pause(100);
  }
  throw new Error(`within ${boundSeconds} s: ${what}`, { cause: reason });
}
