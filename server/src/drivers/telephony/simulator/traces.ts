import type { HungUp, RtpFigures, SipTrace } from '../driver.ts'
import type { Channel } from './channel.ts'
import { ladderOf, type EndedCall } from './sip-ladder.ts'

const callsMax = 4000

/** Remembers the last calls, and makes their SIP messages when somebody asks. */
export class Traces {
  readonly #calls = new Map<string, EndedCall>()

  ended({ id, cli, number, alert }: Channel, end: HungUp): void {
    const { startedAt, answeredAt, endedBy, sipStatus, retryAfterMs } = end
    const times = { startedAt, alert, answeredAt, endedAt: end.at }
    this.#calls.set(id, { channelId: id, cli, number, ...times, endedBy, sipStatus, retryAfterMs })
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > callsMax && oldest !== undefined) this.#calls.delete(oldest)
  }

  take(channelIds: readonly string[]): SipTrace[] {
    return channelIds.flatMap((channelId) => {
      const call = this.#calls.get(channelId)
      this.#calls.delete(channelId)
      return call ? [{ channelId, messages: ladderOf(call) }] : []
    })
  }
}

const packetMs = 20
const lossOneIn = 500

/** A good connection after this time: a few incoming packets are lost. */
export function rtpAfter(ms: number): RtpFigures {
  const packets = Math.floor(ms / packetMs)
  const lost = Math.floor(packets / lossOneIn)
  return { received: { packets: packets - lost, lost, jitterMs: 3 }, sent: { packets, lost: 0, jitterMs: 2 } }
}
