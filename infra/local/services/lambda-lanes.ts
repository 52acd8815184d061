import { availableParallelism } from 'node:os';

const FEWEST = 3;
const MOST = 16;
/** When all lanes have been taken for so long, one more opens: what runs may be waiting for what does not. */
const STUCK_MILLISECONDS = 2000;
/** Of so many invocations that are let in, one is from the background, even while somebody waits for an answer. */
const SHARE_OF_BACKGROUND = 3;

export type Urgency = 'somebody-waits' | 'background';

/**
 * Lets only as many invocations run at once as the machine can carry, over all functions; the others wait in line, which costs them
 * nothing of their time-out. On AWS they would have machines of their own. One more than there are processors: a function mostly computes,
 * and each that runs beside others of its kind is another thread to load, to keep and to warm.
 */
export class Lanes {
  readonly #size: number;
  readonly #lines: Record<Urgency, (() => void)[]> = { 'somebody-waits': [], background: [] };
  #running = 0;
  #letIn = 0;
  #stuck: NodeJS.Timeout | undefined;

  constructor(size = Math.min(Math.max(availableParallelism() + 1, FEWEST), MOST)) {
    this.#size = size;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#lines['somebody-waits'].length + this.#lines.background.length;
  }

  async run<T>(urgency: Urgency, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#size || this.waiting > 0) await this.#turn(urgency);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      if (this.#running < this.#size) this.#letNextIn();
    }
  }

  /** Resolves once a lane has been taken for the caller. */
  #turn(urgency: Urgency): Promise<void> {
    return new Promise((resolve) => {
      this.#lines[urgency].push(resolve);
      this.#watch();
    });
  }

  #letNextIn(): void {
    const next = this.#next();
    if (next) {
      this.#running += 1;
      this.#letIn += 1;
      next();
    }
    this.#watch();
  }

  #next(): (() => void) | undefined {
    const { background, 'somebody-waits': urgent } = this.#lines;
    return this.#letIn % SHARE_OF_BACKGROUND === 0 ? (background.shift() ?? urgent.shift()) : (urgent.shift() ?? background.shift());
  }

  #watch(): void {
    clearTimeout(this.#stuck);
    if (this.waiting > 0) this.#stuck = setTimeout(() => this.#letNextIn(), STUCK_MILLISECONDS);
  }
}
