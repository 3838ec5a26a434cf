import type { DialerConnection, HungUp } from '../../../drivers/telephony/driver.ts'
import { legOf, testOf } from '../../../dispatch/channel-names.ts'
import type { SessionContext } from '../connection/session-context.ts'
import { keepTraces, type StoredTrace } from './traces.sql.ts'

/** The last messages come a moment after the end. */
const settleMs = 1000
/** A dialer's log is read this often even when nobody called, because it also contains messages that belong to no call. */
const idleMs = 300_000
/** How many calls of a round that the network refused are kept, and how many others. A dialer at full speed would otherwise fill the database. */
const ofRoundMax = 10

type Ended = Omit<StoredTrace, 'messages'> & { channelId: string; endedMono: number }

/**
 * Collects the SIP messages of ended calls from a dialer, in rounds: of every test call and every trunk test, and of the other calls as many as a
 * round allows. The last thousand of a dialer are kept.
 */
export class SipTraces {
  readonly #context: SessionContext
  #ended: Ended[] = []
  #refused = 0
  #others = 0
  #readMono = performance.now()

  constructor(context: SessionContext) {
    this.#context = context
  }

  /** Before the call takes it. */
  ended(end: HungUp): void {
    const { switchboard } = this.#context
    const { channelPrefix } = this.#context.deps
    const place = switchboard.placeOf(end.channelId)
    if (!place) return
    const { trunkId, campaignId } = place
    const testId = testOf(channelPrefix, end.channelId)
    const leg = legOf(channelPrefix, end.channelId)
    const attemptId = leg && !leg.isAgent ? leg.attemptId : null
    if ((attemptId === null || campaignId === null) === (testId === null)) return
    if (testId === null && !place.isTest && !this.#hasRoom(end)) return
    const ofCall = testId === null ? { attemptId, campaignId } : { attemptId: null, campaignId: null }
    this.#ended.push({ channelId: end.channelId, trunkId, testId, ...ofCall, endedMono: performance.now() })
  }

  #hasRoom({ endedBy }: HungUp): boolean {
    if (endedBy === 'network') return (this.#refused += 1) <= ofRoundMax
    return (this.#others += 1) <= ofRoundMax
  }

  /** False while nobody calls and the dialer's log was read not long ago. */
  get isDue(): boolean {
    if (this.#ended.length > 0 || this.#context.switchboard.legs > 0) return true
    return this.#refused + this.#others > 0 || performance.now() - this.#readMono >= idleMs
  }

  /** To be called when `isDue`. */
  async round(connection: DialerConnection | null): Promise<void> {
    const { deps, holder, symptoms } = this.#context
    this.#refused = this.#others = 0
    if (!connection) return
    const now = performance.now()
    this.#readMono = now
    const due = new Map(
      this.#ended.filter(({ endedMono }) => now - endedMono >= settleMs).map((one) => [one.channelId, one]),
    )
    this.#ended = this.#ended.filter(({ channelId }) => !due.has(channelId))
    const traces = await connection.takeTraces([...due.keys()])
    const found = traces.flatMap(({ channelId, messages }): StoredTrace[] => {
      const one = due.get(channelId)
      if (!one || messages.length === 0) return []
      const { trunkId, attemptId, testId, campaignId } = one
      symptoms.traced(trunkId, messages)
      return [{ trunkId, attemptId, testId, campaignId, messages }]
    })
    if (found.length > 0) await keepTraces(deps.pool, holder.lease, found)
  }
}
