import type { HungUp, RtpFigures, SipTrace } from '../driver.ts'
import type { Channel } from './channel.ts'
import type { TrunkFlaw } from './numbers.ts'
import { ladderOf, type EndedCall } from './sip-ladder.ts'

const callsMax = 4000

/** Remembers the last calls, and makes their SIP messages when somebody asks. */
export class Traces {
  readonly #calls = new Map<string, EndedCall>()

  ended({ id, cli, number, alert, flaw }: Channel, end: HungUp): void {
    const { startedAt, answeredAt, endedBy, sipStatus, retryAfterMs } = end
    const times = { startedAt, alert, answeredAt, endedAt: end.at }
    this.#calls.set(id, { channelId: id, cli, number, ...times, endedBy, sipStatus, retryAfterMs, flaw })
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

/** After this time. A few incoming packets are lost, unless the connection has a flaw. */
export function rtpAfter(ms: number, flaw: TrunkFlaw | null): RtpFigures {
  const packets = Math.floor(ms / packetMs)
  const lost = Math.floor(packets / lossOneIn)
  const report = { packets, lost: 0, jitterMs: 2 }
  if (flaw === 'oneWay' || flaw === 'deadAir') {
    const received = { packets: 0, lost: 0, jitterMs: 0 }
    return { received, sent: flaw === 'oneWay' ? report : null, sentPackets: packets }
  }
  return { received: { packets: packets - lost, lost, jitterMs: 3 }, sent: report, sentPackets: packets }
}
