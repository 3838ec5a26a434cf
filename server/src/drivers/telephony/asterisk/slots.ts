type Waiting = { resolve: (got: boolean) => void; timer: NodeJS.Timeout }

/** So many at a time; the others wait in order, each as long as it may. */
export class Slots {
  #slots: number
  #taken = 0
  #waiting: Waiting[] = []

  constructor(slots: number) {
    this.#slots = slots
  }

  /** From now on: who has one keeps it. */
  resize(slots: number): void {
    this.#slots = slots
    this.#admit()
  }

  /** False: none became free in time. Whoever got one gives it back. */
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
