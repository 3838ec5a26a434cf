import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Flow } from '@ghanti/callflow/flow.ts'
import { readValue } from '@ghanti/callflow/speech/read.ts'
import { textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import { campaignStatusCode, finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { dialable, nationalOf, whyNotDialable } from '@ghanti/contract/phone.ts'
import type { TestCall, TestCallEvent } from '@ghanti/contract/test-calls.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import * as z from 'zod'
import type { Json } from '../../db/tables.ts'
import type { FieldError } from '../../errors.ts'
import type { Test, TestedNumber, TestLine } from './store.ts'

/** The distinct numbers in dialable form, and what is wrong with the others. */
export function readNumbers(numbers: readonly string[]): { phones: string[]; errors: FieldError[] } {
  const errors: FieldError[] = []
  const phones = new Set<string>()
  for (const [index, written] of numbers.entries()) {
    const phone = dialable(written)
    if (phone) phones.add(nationalOf(phone.e164))
    else errors.push({ field: `numbers.${index}`, code: 'not_dialable', text: whyNotDialable(written) })
  }
  return { phones: [...phones], errors }
}

/** `calledToday` 0: it is in a call. */
export function whyNumberWaits(number: string, calledToday: number): string {
  if (calledToday === 0) return `must wait: another call to ${number} is under way`
  return `must wait: ${number} was called ${calledToday} ${calledToday === 1 ? 'time' : 'times'} today`
}

const Said = z.object({ name: z.string(), promptId: z.number().optional(), column: z.number().optional() })
/** An event of a test call as the engine stores it. What a value says follows from its column and the row. */
const Line = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['dialled', 'ringing', 'answered', 'agentTalks', 'agentEnded', 'weHangUp']),
  }),
  z.object({ type: z.literal('plays'), parts: z.array(Said) }),
  z.object({ type: z.literal('waits'), seconds: z.number() }),
  z.object({ type: z.literal('key'), key: z.string(), valid: z.boolean() }),
  z.object({ type: z.literal('agentCalled'), number: z.string(), afterSeconds: z.number().optional() }),
  z.object({ type: z.literal('ended'), byThem: z.boolean() }),
])

export type TranscriptLine = z.output<typeof Line>

type TestRecord = { flow: Flow; keyLabels: KeyLabels; calls: readonly TestedNumber[]; lines: readonly TestLine[] }

export function promptsPlayed(lines: readonly TestLine[]): number[] {
  const ids = lines.flatMap(({ line }) => {
    const read = Line.parse(line)
    return read.type === 'plays' ? read.parts.flatMap(({ promptId }) => promptId ?? []) : []
  })
  return [...new Set(ids)]
}

export function testCallOf(
  test: Test,
  { calls, lines, ...of }: TestRecord,
  names: ReadonlyMap<number, string>,
): TestCall {
  return {
    testId: test.id,
    name: test.name,
    campaignStatus: campaignStatusCode[test.status],
    isOver: finishedStatuses.some((status) => status === test.status),
    reason: test.reason,
    cost: rupeesOf(calls.reduce((sum, call) => sum + (call.cost_paisa ?? 0), 0)),
    calls: calls.map((call) => ({
      mobile: nationalOf(String(call.phone)),
      inCall: call.in_call,
      disposition: call.state === 'dnd' ? 'DND' : call.disposition,
      seconds: Math.ceil((call.bill_ms ?? 0) / 1000),
      cost: rupeesOf(call.cost_paisa ?? 0),
      keys: call.keys ?? '',
      events: lines
        .filter(({ no }) => no === call.no)
        .map(({ at, line }) => ({ at: nepalTimeOf(at), what: whatOf(line, of, call.vars, names) })),
    })),
  }
}

type Of = Pick<TestRecord, 'flow' | 'keyLabels'>

function whatOf(stored: Json, { flow, keyLabels }: Of, vars: Json, names: ReadonlyMap<number, string>): TestCallEvent {
  const line = Line.parse(stored)
  if (line.type === 'key') {
    const label = line.valid ? ownValue(keyLabels, line.key) : undefined
    return { ...line, ...(label !== undefined && { label }) }
  }
  if (line.type === 'agentCalled') return { ...line, number: nationalOf(line.number) }
  if (line.type !== 'plays') return line
  const parts = line.parts.map(({ name, promptId, column }) => ({
    name,
    says: promptId === undefined ? spoken(flow, vars, column ?? -1) : `${names.get(promptId) ?? ''}.wav`,
  }))
  return { type: 'plays', parts }
}

function spoken({ spoken: columns, speech }: Flow, vars: Json, column: number): string {
  const said = columns[column]
  const values = z.record(z.string(), z.string()).safeParse(vars)
  if (!said || !speech || !values.success) return ''
  const written = ownValue(values.data, said.column) ?? ''
  const read = readValue(said.kind, written)
  return read.ok ? textOf(wordsOf(said.kind, read.value, speech.language, speech.calendar)) : written
}
