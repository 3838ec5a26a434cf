import { legOf } from '../../../dispatch/channel-names.ts'
import type { SessionContext } from '../connection/session-context.ts'
import { addRtp } from './traces.sql.ts'

/** One call is sampled of this many answered ones of a trunk. */
const oneIn = 50
/** From the answer: the far end reports every five seconds or so. Many are over by then, and the next call is asked about instead. */
const afterMs = 8000

/**
 * Asks a dialer how the sound of some of its calls passes, and adds it up for trunk, operator and hour. After a call whose sound has a fault the next one
 * is asked about as well, so that some calls are enough to tell.
 */
export class RtpSamples {
  readonly #context: SessionContext
  /** Answered calls since the last sample, by trunk. */
  readonly #since = new Map<number, number>()
  readonly #waiting = new Set<NodeJS.Timeout>()

  constructor(context: SessionContext) {
    this.#context = context
  }

  answered(channelId: string): void {
    const { deps, switchboard, link, log } = this.#context
    const leg = legOf(deps.channelPrefix, channelId)
    const trunkId = switchboard.placeOf(channelId)?.trunkId
    if (!leg || leg.isAgent || trunkId === undefined) return
    const since = this.#since.get(trunkId) ?? oneIn
    this.#since.set(trunkId, since >= oneIn ? 1 : since + 1)
    if (since < oneIn) return
    const speed = link.up?.speed ?? 1
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      this.#ask(channelId, leg.attemptId, trunkId).catch((error: unknown) =>
        log.warn({ error, channelId }, 'the sound quality of a call could not be read'),
      )
    }, afterMs / speed)
    this.#waiting.add(timer)
  }

  async #ask(channelId: string, attemptId: number, trunkId: number): Promise<void> {
    const { deps, holder, switchboard, symptoms, link } = this.#context
    const rtp = switchboard.has(channelId) ? await link.up?.rtpOf(channelId) : null
    if (!rtp || symptoms.sampled(trunkId, rtp)) this.#since.set(trunkId, oneIn)
    if (rtp && rtp.received.packets + (rtp.sent?.packets ?? 0) > 0)
      await addRtp(deps.pool, holder.lease, { trunkId, attemptId, rtp })
  }

  close(): void {
    for (const timer of this.#waiting) clearTimeout(timer)
    this.#waiting.clear()
  }
}
