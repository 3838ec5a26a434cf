import { shareOf } from '@ghanti/contract/insight-figures.ts'
import type { Trace, TrunkQuality } from '@ghanti/contract/traces.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import * as z from 'zod'
import type { SipMessage } from '../../drivers/telephony/driver.ts'
import { mean } from '../insight/rules.ts'
import type { QualitySums, StoredTrace } from './store.ts'

const Messages = z.array(
  z.object({
    at: z.number(),
    sent: z.boolean(),
    transport: z.enum(['UDP', 'TCP', 'TLS']),
    dialer: z.string(),
    peer: z.string(),
    text: z.string(),
  }),
)

export type OfTrunks = readonly [StoredTrace, ...StoredTrace[]]

export const messagesOf = (traces: OfTrunks): SipMessage[] =>
  traces.flatMap(({ messages }) => Messages.parse(messages)).toSorted((a, b) => a.at - b.at)

export function traceOf(traces: OfTrunks): Trace {
  const messages = messagesOf(traces)
  const first = messages[0]?.at ?? 0
  const [stored] = traces
  return {
    traceId: stored.id,
    trunkName: traces.map(({ trunk_name }) => trunk_name).join(' → '),
    dialerName: stored.dialer_name,
    startedAt: nepalTimeOf(stored.at),
    pddMs: pddOf(Messages.parse((traces.at(-1) ?? stored).messages)),
    messages: messages.map(({ at, ...message }) => ({ afterMs: at - first, ...message })),
  }
}

/** From the first INVITE to the first 18x. */
function pddOf(messages: readonly SipMessage[]): number | null {
  const alert = messages.find(({ sent, text }) => !sent && /^SIP\/2\.0 18\d/.test(text))
  return alert ? alert.at - (messages[0]?.at ?? 0) : null
}

/** The messages as text, for a ticket to the operator. A line before each gives its time and direction. */
export function textOf(messages: readonly SipMessage[]): string {
  return messages
    .map(({ at, sent, transport, dialer, peer, text }) => {
      const time = new Date(at).toISOString()
      const way = sent ? `${dialer} -> ${peer}` : `${peer} -> ${dialer}`
      return `--- ${time} ${transport} ${way}\n${text.replaceAll('\r\n', '\n').trimEnd()}\n`
    })
    .join('\n')
}

export function qualityOf(sums: QualitySums): TrunkQuality['all'] {
  const { calls, answered, pdd_calls, pdd_ms } = sums
  return {
    calls,
    answered,
    pddMs: mean(pdd_ms, pdd_calls),
    received: wayOf(sums.sampled, sums.received, sums.received_lost, sums.received_jitter_us),
    sent: wayOf(sums.reported, sums.sent, sums.sent_lost, sums.sent_jitter_us),
  }
}

/** `packets` is how many arrived. Lost packets are counted separately. */
function wayOf(calls: number, packets: number, lost: number, jitterUs: number): TrunkQuality['all']['received'] {
  if (calls === 0) return null
  return { calls, lossPercent: shareOf(lost, packets + lost) ?? 0, jitterMs: mean(jitterUs / 1000, calls, 1) ?? 0 }
}
