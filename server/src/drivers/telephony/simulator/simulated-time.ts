import { Schedule, type Item } from './schedule.ts'

/** Time that passes `speed` times faster than real, in ms since it began, with a schedule that needs one timer. */
export class SimulatedTime {
  readonly #speed: number
  readonly #bornAt = performance.now()
  readonly #schedule = new Schedule()
  #now = 0
  #catchingUp = false
  #closed = false
  #timer: NodeJS.Timeout | null = null
  #timerDue = Infinity

  constructor(speed: number) {
    this.#speed = speed
  }

  /** While a scheduled step runs: exactly when it was due. Otherwise: when catchUp was last called. */
  get now(): number {
    return this.#now
  }

  /** Runs what is due, then moves to the present. Called before anything from outside happens, to keep the order. */
  catchUp(): void {
    const present = (performance.now() - this.#bornAt) * this.#speed
    this.#catchingUp = true
    while (!this.#closed && this.#schedule.nextDue <= present) {
      const item = this.#schedule.take()
      if (!item) break
      const { run } = item
      if (!run) continue
      item.run = null
      this.#now = Math.max(this.#now, item.due)
      run()
    }
    this.#catchingUp = false
    this.#now = Math.max(this.#now, present)
    this.#arm()
  }

  after(ms: number, run: () => void): Item {
    const item = this.#schedule.put(this.#now + Math.max(0, ms), run)
    this.#arm()
    return item
  }

  cancel(item: Item): void {
    this.#schedule.cancel(item)
  }

  close(): void {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
  }

  #arm(): void {
    const due = this.#schedule.nextDue
    if (this.#closed || this.#catchingUp || due >= this.#timerDue) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timerDue = due
    const realMs = Math.min(Math.max(0, (due - this.#now) / this.#speed), 60_000)
    this.#timer = setTimeout(() => {
      this.#timerDue = Infinity
      this.#timer = null
      this.catchUp()
    }, realMs).unref()
  }
}
