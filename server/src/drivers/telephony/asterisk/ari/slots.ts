type Waiting = { resolve: (got: boolean) => void; timer: NodeJS.Timeout }

/** A semaphore with a time limit. Waiting callers get slots in order. */
export class Slots {
  #slots: number
  #taken = 0
  #waiting: Waiting[] = []

  constructor(slots: number) {
    this.#slots = slots
  }

  /** Applies from now on; nobody loses a slot. */
  resize(slots: number): void {
    this.#slots = slots
    this.#admit()
  }

  /** False when no slot became free in time. A slot that was taken must be given back. */
  take(withinMs: number): Promise<boolean> {
    if (this.#taken < this.#slots) {
      this.#taken += 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other.resolve !== resolve)
        resolve(false)
      }, withinMs)
      this.#waiting.push({ resolve, timer })
    })
  }

  giveBack(): void {
    this.#taken -= 1
    this.#admit()
  }

  #admit(): void {
    while (this.#taken < this.#slots) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#taken += 1
      clearTimeout(next.timer)
      next.resolve(true)
    }
  }
}
