type Waiting = { resolve: (got: boolean) => void; timer: NodeJS.Timeout }

/** So many at a time; the others wait in order, each as long as it may. */
export class Slots {
  #free: number
  #waiting: Waiting[] = []

  constructor(slots: number) {
    this.#free = slots
  }

  /** False: none became free in time. Whoever got one gives it back. */
  take(withinMs: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free -= 1
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
    const next = this.#waiting.shift()
    if (!next) {
      this.#free += 1
      return
    }
    clearTimeout(next.timer)
    next.resolve(true)
  }
}
