import type { Call } from './call.ts'
import { beginsWithinMs } from './decide.ts'

const everyMs = 5
/** Rules were asked when it was claimed: what comes later than it may is claimed anew. */
const waitsMax = beginsWithinMs - 50

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
  #dialling = 0
  /** Calls wait for those that are being dialled. */
  #full = false

  constructor(options: DialQueueOptions) {
    this.#options = options
  }

  get byTrunk(): Map<number, number> {
    return new Map([...this.#queues].map(([trunkId, calls]) => [trunkId, calls.length]))
  }

  /** How many more may wait here to begin in time: of a dialer with a limit, twice as many as it lately began in a tick. */
  room(begunInSecond: number): number {
    const waiting = [...this.#queues.values()].reduce((sum, calls) => sum + calls.length, 0)
    return Math.max(0, this.#options.dialsAtOnce() + Math.floor(begunInSecond / 2) - waiting)
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
    try {
      await call.dial()
    } finally {
      this.#dialling -= 1
    }
    if (this.#full) this.#pump()
  }

  #stopTimer(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
