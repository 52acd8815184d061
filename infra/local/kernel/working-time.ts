const TICK = 50;

/**
 * Calls `over` when `milliseconds` have passed in which this process had the chance to work. Time in which the machine gave it
 * none (others were busier, the laptop slept) does not count, so that a slow machine is not taken for slow code.
 * Returns how to call it off.
 */
export function afterWorkingTime(milliseconds: number, over: () => void): () => void {
  let left = milliseconds;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const step = Math.min(left, TICK);
    timer = setTimeout(() => {
      left -= step;
      if (left > 0) wait();
      else over();
    }, step);
  };
  wait();
  return () => clearTimeout(timer);
}
