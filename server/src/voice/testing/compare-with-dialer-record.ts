/** Compares what the database says of calls with what the dialer itself recorded. */
import { expect } from 'vitest'
import { customerOf } from '../../dispatch/channel-names.ts'
import type { Witness, Witnessed } from './crash/crash.ts'
import type { EngineDb } from './fixtures.ts'
import { owedFor, type Talk } from './expected-charges.ts'

/** Asserts that each channel was dialled once and is over, and that no number was called again after an answer. */
export function expectNobodyTwice(witness: Witness, agents: readonly string[] = []): void {
  const answeredAt = new Map<string, number>()
  const customers = [...witness.channels.values()].filter((channel) => channel.number.startsWith('97798'))
  for (const [channelId, { starts, endedAt }] of witness.channels)
    expect({ channelId, starts, ended: endedAt !== null }).toEqual({ channelId, starts: 1, ended: true })
  for (const channel of customers.toSorted((one, other) => one.startedAt - other.startedAt)) {
    if (agents.includes(channel.number)) continue
    expect(`${channel.number} ${answeredAt.get(channel.number)}`).toBe(`${channel.number} undefined`)
    if (channel.answeredAt !== null) answeredAt.set(channel.number, channel.answeredAt)
  }
}

/** By the customer's channel, as the dialer recorded it. */
function talks(witness: Witness): Map<string, Talk> {
  const found = new Map<string, Talk>()
  const lengthOf = ({ answeredAt, endedAt }: Witnessed) => (answeredAt === null ? null : (endedAt ?? 0) - answeredAt)
  for (const [channelId, channel] of witness.channels) {
    const customers = customerOf(channelId) ?? channelId
    const talk = found.get(customers) ?? { customerMs: null, agentMs: null }
    const ms = lengthOf(channel)
    if (customers === channelId) talk.customerMs = ms
    else if (ms !== null) talk.agentMs = (talk.agentMs ?? 0) + ms
    found.set(customers, talk)
  }
  return found
}

/**
 * Asserts that every attempt agrees with the dialer's record, and that those it never saw were given back. Returns what each account owes
 * by the record and the plans.
 */
export async function expectAttemptsMatchRecord(at: Pick<EngineDb, 'pool'>, witness: Witness): Promise<number[]> {
  const { rows } = await at.pool.query<{
    channel_id: string
    phone: number
    disposition: string
    bill_ms: number | null
    patch_bill_ms: number | null
    uncollected_paisa: number
  }>(
    `select i.id || '-' || a.epoch || '-' || a.id || '-c' as channel_id, phone, disposition, bill_ms, patch_bill_ms, uncollected_paisa
     from attempt a, installation i order by a.id`,
  )
  const seen = talks(witness)
  const owed: Talk[] = []
  for (const { channel_id, phone, disposition, ...attempt } of rows) {
    const talk = seen.get(channel_id)
    seen.delete(channel_id)
    const { customerMs, agentMs } = talk ?? { customerMs: null, agentMs: null }
    expect({ channel_id, ...attempt }).toEqual({
      channel_id,
      bill_ms: customerMs,
      patch_bill_ms: agentMs,
      uncollected_paisa: 0,
    })
    expect(`${channel_id} ${disposition === 'ANSWER'}`).toBe(`${channel_id} ${customerMs !== null}`)
    expect(`${channel_id} ${disposition === 'CANCEL'}`).toBe(`${channel_id} ${talk === undefined}`)
    if (talk) expect(witness.channels.get(channel_id)?.number).toBe(String(phone))
    owed.push({ customerMs, agentMs })
  }
  expect([...seen.keys()]).toEqual([]) // the dialer got no request without an attempt
  return owedFor(owed)
}
