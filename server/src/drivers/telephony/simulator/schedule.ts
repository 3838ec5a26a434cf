/** `run` is null once it has run or was cancelled. */
export type Item = { readonly due: number; readonly order: number; run: (() => void) | null }

const sweptFrom = 1000

/**
 * A binary heap of pending items, so that a hundred thousand of them need one timer. Items of the same time run in the order in which they were
 * added.
 */
export class Schedule {
  #heap: Item[] = []
  #order = 0
  #cancelled = 0

  /** When the next item is due, even a cancelled one. Infinity when there is none. */
  get nextDue(): number {
    return this.#heap[0]?.due ?? Infinity
  }

  put(due: number, run: () => void): Item {
    const heap = this.#heap
    const item = { due, order: (this.#order += 1), run }
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent]
      if (!above || !before(item, above)) break
      heap[at] = above
      at = parent
    }
    heap[at] = item
    return item
  }

  /** Cancelled items, which calls often leave, would stay for minutes, so they are removed once they are half of all. */
  cancel(item: Item): void {
    if (!item.run) return
    item.run = null
    this.#cancelled += 1
    if (this.#cancelled < sweptFrom || this.#cancelled * 2 < this.#heap.length) return
    this.#heap = this.#heap.filter(({ run }) => run).sort((one, other) => (before(one, other) ? -1 : 1)) // sorted is a heap
    this.#cancelled = 0
  }

  take(): Item | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first && !first.run) this.#cancelled -= 1
    if (!first || !last || first === last) return first
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      if (!left) break
      const useRight = right !== undefined && before(right, left)
      const child = useRight ? right : left
      if (!before(child, last)) break
      heap[at] = child
      at = 2 * at + (useRight ? 2 : 1)
    }
    heap[at] = last
    return first
  }
}

function before(a: Item, b: Item): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}
