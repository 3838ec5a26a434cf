import type { Call } from '../call/call.ts'
import { beginsWithinMs } from '../../../modules/platform/rules-dialling.ts'
import { DialSpeed, type Slow } from './dial-speed.ts'

const everyMs = 5
/** The rules were checked when the call was claimed. A call that is later than this must be claimed again. */
const waitsMax = beginsWithinMs - 50
/** How long a claimed call should wait at most, so that none is too late when the dialer becomes slower meanwhile. */
const waitsWellMs = 500
/** The weight of the last call in the moving average. */
const newest = 0.1

export type DialQueueOptions = {
  dialsAtOnce(): number
  /** Takes a call of the rate. */
  beginsNow(trunkId: number): boolean
  /** Why the call must not ring any more. Null: it may. */
  reasonNotToDial(call: Call): string | null
  began(call: Call): void
}

/** Claimed calls that wait for their moment, by trunk; never more than a tick's worth. */
export class DialQueue {
  readonly #options: DialQueueOptions
  readonly #queues = new Map<number, Call[]>()
  #timer: NodeJS.Timeout | null = null
  readonly #speed = new DialSpeed(performance.now())
  #dialling = 0
  /** Moving average of how long the dialer took for a call. */
  #dialMs: number | null = null
  /** Calls wait for those that are being dialled. */
  #full = false

  constructor(options: DialQueueOptions) {
    this.#options = options
  }

  get byTrunk(): Map<number, number> {
    return new Map([...this.#queues].map(([trunkId, calls]) => [trunkId, calls.length]))
  }

  /**
   * How many more calls may be claimed and still begin in time. On a dialer with a limit these are the calls that it takes at once, and those
   * that may wait because it took as many lately and is as quick as it was.
   */
  room(begunInSecond: number): number {
    const dialsAtOnce = this.#options.dialsAtOnce()
    const waiting = [...this.#queues.values()].reduce((sum, calls) => sum + calls.length, 0)
    const inTime = this.#dialMs === null ? 0 : Math.floor((dialsAtOnce * waitsWellMs) / this.#dialMs)
    const free = dialsAtOnce - this.#dialling
    return Math.max(0, free + Math.min(inTime, Math.floor((begunInSecond * waitsWellMs) / 1000)) - waiting)
  }

  /** Calls a second that the dialer takes. Null: calls do not wait for the dialer, only for their rate. */
  get slow(): Slow | null {
    return this.#speed.slow(performance.now())
  }

  /** Calls wait here, or the dialer was asked for one and has not answered. */
  get busy(): boolean {
    return this.#queues.size > 0 || this.#dialling > 0
  }

  push(call: Call): void {
    const { trunkId } = call.attempt.cli
    const queue = this.#queues.get(trunkId)
    if (queue) queue.push(call)
    else this.#queues.set(trunkId, [call])
    this.#timer ??= setTimeout(() => this.#pump(), 0)
  }

  close(): void {
    this.#queues.clear()
    this.#stopTimer()
  }

  /** Dials one call of each trunk in turn, as long as any may begin. */
  #pump(): void {
    this.#stopTimer()
    this.#full = false
    for (let went = true; went;) {
      went = false
      for (const [trunkId, calls] of this.#queues) if (this.#next(trunkId, calls)) went = true
    }
    this.#speed.full(this.#full, performance.now())
    this.#timer = this.#queues.size > 0 ? setTimeout(() => this.#pump(), everyMs) : null
  }

  #next(trunkId: number, calls: Call[]): boolean {
    while (calls[0]?.over) calls.shift() // stopped meanwhile
    const [call] = calls
    if (!call) {
      this.#queues.delete(trunkId)
      return false
    }
    const { dialsAtOnce, reasonNotToDial, beginsNow, began } = this.#options
    const why = performance.now() - call.claimedMono > waitsMax ? 'its moment has passed' : reasonNotToDial(call)
    if (why !== null) call.giveBack(why)
    else if (this.#dialling >= dialsAtOnce()) {
      this.#full = true
      return false
    } else if (beginsNow(trunkId)) {
      began(call)
      void this.#dial(call)
    } else return false
    calls.shift()
    return true
  }

  async #dial(call: Call): Promise<void> {
    this.#dialling += 1
    const began = performance.now()
    try {
      await call.dial()
    } finally {
      this.#dialling -= 1
      this.#took(performance.now() - began)
    }
    if (this.#full) this.#pump()
  }

  #took(ms: number): void {
    this.#speed.took(ms)
    this.#dialMs = Math.max(1, this.#dialMs === null ? ms : this.#dialMs + newest * (ms - this.#dialMs))
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
