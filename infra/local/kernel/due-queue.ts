export type DueItem = { dueAt: number; id: string; run: () => Promise<void> };
type Entry = DueItem & { order: number };

/** Entries by due time, then by arrival. A binary heap; a replaced or cancelled entry stays in it until it surfaces. */
export class DueQueue {
  readonly #heap: Entry[] = [];
  readonly #current = new Map<string, Entry>();
  #arrivals = 0;

  get size(): number {
    return this.#current.size;
  }

  put(item: DueItem): void {
    this.#arrivals += 1;
    const entry = { ...item, order: this.#arrivals };
    this.#current.set(item.id, entry);
    this.#heap.push(entry);
    this.#rise(this.#heap.length - 1);
  }

  remove(id: string): void {
    this.#current.delete(id);
    if (this.#heap.length > 2 * this.#current.size + 64) this.#compact();
  }

  peek(): DueItem | undefined {
    for (let top = this.#heap[0]; top; top = this.#heap[0]) {
      if (this.#current.get(top.id) === top) return top;
      this.#dropTop();
    }
    return undefined;
  }

  /** Takes the first entry if it is due at `instant`. */
  takeDue(instant: number): DueItem | undefined {
    const top = this.peek();
    if (!top || top.dueAt > instant) return undefined;
    this.#dropTop();
    this.#current.delete(top.id);
    return top;
  }

  /** Forgets cancelled entries that have not surfaced; a sorted array is a heap. */
  #compact(): void {
    const kept = [...this.#current.values()].sort((a, b) => a.dueAt - b.dueAt || a.order - b.order);
    this.#heap.splice(0, this.#heap.length, ...kept);
  }

  #dropTop(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #before(a: number, b: number): boolean {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (!left || !right) return false;
    return left.dueAt < right.dueAt || (left.dueAt === right.dueAt && left.order < right.order);
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (!left || !right) return;
    this.#heap[a] = right;
    this.#heap[b] = left;
  }

  #rise(from: number): void {
    for (let child = from; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#before(child, parent)) return;
      this.#swap(child, parent);
      child = parent;
    }
  }

  #sink(from: number): void {
    for (let parent = from; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      let first = parent;
      if (this.#before(left, first)) first = left;
      if (this.#before(right, first)) first = right;
      if (first === parent) return;
      this.#swap(parent, first);
      parent = first;
    }
  }
}
