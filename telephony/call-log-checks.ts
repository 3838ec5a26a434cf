/** Compares our rows with the operator's own log, as SIPp wrote it. */
import { expect } from 'vitest'
import type { EngineDb } from '../server/src/voice/testing/fixtures.ts'
import type { LogLine } from './sipp/sipp.ts'

export type Heard = { number: string; at: number; answeredAt: number | null; endedAt: number | null }

export function callsIn(log: readonly LogLine[]): Heard[] {
  const calls = new Map<string, Heard>()
  for (const { what, number, callId, at } of log) {
    const call = calls.get(callId)
    if (what === 'INVITE' && call) throw new Error(`SIPp began the call ${callId} twice`)
    if (what === 'INVITE') calls.set(callId, { number, at, answeredAt: null, endedAt: null })
    else if (!call) throw new Error(`SIPp never heard of ${callId} before it was ${what}`)
    else if (what === 'ANSWERED') call.answeredAt ??= at
    else call.endedAt ??= at
  }
  return [...calls.values()]
}

/** By number with country code, without a plus. */
export function byNumber(calls: readonly Heard[]): Map<string, Heard[]> {
  return Map.groupBy(calls, ({ number }) => number.replace('+', ''))
}

export function expectNobodyTwice(calls: readonly Heard[], attempts: readonly AttemptRow[] = []): void {
  for (const [number, all] of byNumber(calls))
    for (const { answeredAt } of all)
      if (answeredAt !== null) {
        const own = attempts.filter(({ phone }) => String(phone) === number)
        const story = `${number} was called after its answer: ${all.map(callLine).join(', ')}; ${own.map(attemptLine).join(', ')}`
        expect(
          all.filter(({ at }) => at > answeredAt),
          story,
        ).toEqual([])
      }
}

export async function attemptsOf(at: EngineDb, campaignIds: readonly number[]) {
  return at.db.selectFrom('attempt').selectAll().where('campaign_id', 'in', campaignIds).orderBy('id').execute()
}
export type AttemptRow = Awaited<ReturnType<typeof attemptsOf>>[number]

const clock = (at: Date | number | null): string => (at === null ? '-' : new Date(at).toISOString().slice(14, 23))
export const attemptLine = (one: AttemptRow): string =>
  `${one.disposition} (${one.ended_by} ${one.sip_status} ${one.q850_cause}) ${clock(one.started_at)} ${clock(one.answered_at)} ${clock(one.ended_at)}`
export const callLine = (call: Heard): string => `${clock(call.at)} ${clock(call.answeredAt)} ${clock(call.endedAt)}`

export async function expectNothingLeft(at: EngineDb): Promise<void> {
  const tables = ['attempt_open', 'attempt_step', 'contact_retry', 'outcome_parked'] as const
  for (const table of tables) expect([table, await at.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  const busy = await at.db.selectFrom('number_use').selectAll().where('attempt_id', '<>', 0).execute()
  expect(busy).toEqual([])
}
