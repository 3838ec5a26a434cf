import type { Call } from '../call/call.ts'
import { beginsWithinMs } from '../../modules/platform/rules-dialling.ts'
import { DialPace, type Slow } from './dial-pace.ts'

const everyMs = 5
/** Rules were asked when it was claimed: what comes later than it may is claimed anew. */
const waitsMax = beginsWithinMs - 50
/** What is claimed is to wait no longer than this, so that a dialer which becomes slower meanwhile makes none of it too late. */
const waitsWellMs = 500
/** How much the last call tells of the next one. */
const newest = 0.1

export type DialQueueOptions = {
  /** How many the dialer takes at once; the others wait here. */
  dialsAtOnce(): number
  /** Takes a call of the rate. */
  beginsNow(trunkId: number): boolean
  /** Why it must not ring any more; null: it may. */
  obstacle(call: Call): string | null
  began(call: Call): void
}

/** Calls that are claimed and wait for their moment, by trunk: never more than a tick's worth. */
export class DialQueue {
  readonly #options: DialQueueOptions
  readonly #queues = new Map<number, Call[]>()
  #timer: NodeJS.Timeout | null = null
  readonly #pace = new DialPace(performance.now())
  #dialling = 0
  /** How long the dialer took for its last calls, about. */
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
   * How many more may be claimed to begin in time: of a dialer with a limit, what it takes at once, and what may wait because it took as many
   * lately and is as quick as it was.
   */
  room(begunInSecond: number): number {
    const dialsAtOnce = this.#options.dialsAtOnce()
    const waiting = [...this.#queues.values()].reduce((sum, calls) => sum + calls.length, 0)
    const inTime = this.#dialMs === null ? 0 : Math.floor((dialsAtOnce * waitsWellMs) / this.#dialMs)
    const free = dialsAtOnce - this.#dialling
    return Math.max(0, free + Math.min(inTime, Math.floor((begunInSecond * waitsWellMs) / 1000)) - waiting)
  }

  /** Calls wait for the dialer, and not for their rate; null: they do not. */
  get slow(): Slow | null {
    return this.#pace.slow(performance.now())
  }

  push(call: Call): void {
    const { trunkId } = call.plan.line
    const queue = this.#queues.get(trunkId)
    if (queue) queue.push(call)
    else this.#queues.set(trunkId, [call])
    this.#timer ??= setTimeout(() => this.#pump(), 0)
  }

  /** The trunk is on hold: what has not rung is given back. */
  recall(trunkId: number): void {
    for (const call of this.#queues.get(trunkId) ?? []) call.giveBack('the trunk is on hold')
  }

  close(): void {
    this.#queues.clear()
    this.#stopTimer()
  }

  /** One call of each trunk in turn, as long as any may begin. */
  #pump(): void {
    this.#stopTimer()
    this.#full = false
    for (let went = true; went;) {
      went = false
      for (const [trunkId, calls] of this.#queues) if (this.#next(trunkId, calls)) went = true
    }
    this.#pace.full(this.#full, performance.now())
    this.#timer = this.#queues.size > 0 ? setTimeout(() => this.#pump(), everyMs) : null
  }

  #next(trunkId: number, calls: Call[]): boolean {
    while (calls[0]?.over) calls.shift() // stopped meanwhile
    const [call] = calls
    if (!call) {
      this.#queues.delete(trunkId)
      return false
    }
    const { dialsAtOnce, obstacle, beginsNow, began } = this.#options
    const why = performance.now() - call.claimedMono > waitsMax ? 'its moment has passed' : obstacle(call)
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
    this.#pace.took(ms)
    this.#dialMs = Math.max(1, this.#dialMs === null ? ms : this.#dialMs + newest * (ms - this.#dialMs))
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
