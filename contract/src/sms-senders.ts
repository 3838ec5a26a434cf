import * as z from 'zod/mini'
import { account, choices, dates } from './filters.ts'
import { everyOperator, operatorCode, type Operator } from './operators.ts'
import { json, list, type RowOf } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { approvalCodes } from './sms-approval.ts'
import { smsSizeOf } from './sms-text.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, Message, orRequired, Paragraph, Text, wireInt } from './values.ts'

/** Per account, rejected ones included. */
export const sendersMax = 50

const nameError =
  'must be 1 to 11 characters that every telephone shows (no Nepali letters), or a number of 3 to 15 digits'
/** Who a message is from: a name of at most eleven septets, or a number. */
export const SenderName = Text(20).check(z.refine((name) => name === '' || isSenderName(name), { error: nameError }))

/** What a telephone can show as the sender. A name of punctuation alone identifies nobody. */
function isSenderName(name: string): boolean {
  if (/^\+?\d+$/.test(name)) return /^\+?\d{3,15}$/.test(name)
  const { encoding, units } = smsSizeOf(name)
  return encoding === 'GSM-7' && units <= 11 && /[\p{L}\d]/u.test(name)
}

export const operatorError = `must be one of ${everyOperator.join(', ')}`
export const Operators = jsonOr(
  z.array(z.enum(everyOperator, { error: operatorError }), orRequired('must be a list of operators')).check(
    z.minLength(1, { error: 'is required' }),
    z.refine((operators) => new Set(operators).size === operators.length, { error: 'names one of them twice' }),
  ),
)
export function codesOf(operators: readonly Operator[]): number[] {
  return operators.map((operator) => operatorCode[operator]).toSorted((a, b) => a - b)
}
export function operatorsOf(codes: readonly number[]): Operator[] {
  return everyOperator.filter((operator) => codes.includes(operatorCode[operator]))
}

/** Segments per second of all messages of this name; left out: as fast as the gateways. */
const Tps = z.optional(wireInt(1, 10_000))

const SenderRow = z.object({
  cliId: z.number(),
  cliName: z.string(),
  /** 0 pending, 1 approved, 2 rejected. */
  cliStatus: z.number(),
  operators: z.array(z.enum(everyOperator)),
  /** At most this many segments per second; null: as fast as the gateways. */
  tps: z.nullable(z.number()),
  reason: z.nullable(z.string()),
  userId: z.number(),
  username: z.string(),
  company: z.string(),
  askedAt: z.string(),
  /** How many other accounts have or want the same name; null for everybody but super admins. */
  others: z.nullable(z.number()),
})
const sort = ['-cliId', 'cliName', 'cliStatus', 'username'] as const
const waitingFirst = ['cliStatus', 'cliId', 'cliName', 'username'] as const
const CliIdInput = z.object({ cliId: Id })
const Reason = Paragraph(500)
const ownFilters = { cliStatus: choices(approvalCodes), asked: dates } as const
const filters = { ...ownFilters, customer: account } as const

export const smsSenderRoutes = {
  /** Registered before the parameter route. For super admins: everybody's, the longest waiting first. */
  listAll: list({ path: '/app/sms/cli/list', filters, row: SenderRow, sort: waitingFirst }),
  /** The caller's own id shows all that the role may read, another id that account's. */
  list: list({ path: '/app/sms/cli/:userId', input: z.object({ userId: Id }), filters, row: SenderRow, sort }),
  /** It waits for a super admin's approval. */
  ask: json({
    method: 'POST',
    path: '/app/sms/cli',
    input: z.object({ cliName: SenderName }),
    reply: z.object({ message: z.string(), cliId: z.number() }),
  }),
  /** For exactly these operators and at this rate; replaces any earlier decision. */
  approve: json({
    method: 'POST',
    path: '/app/sms/cli/approve/:cliId',
    input: z.object({ cliId: Id, operators: Operators, tps: Tps }),
    reply: Message,
  }),
  /** Also revokes an approval: unfinished campaigns send nothing more from it. */
  reject: json({
    method: 'POST',
    path: '/app/sms/cli/reject/:cliId',
    input: z.object({ cliId: Id, reason: Reason }),
    reply: Message,
  }),
  approveMany: json({
    method: 'POST',
    path: '/app/sms/clis/approve',
    input: z.object({ cliIds: Ids, operators: Operators, tps: Tps }),
    reply: Outcomes,
  }),
  rejectMany: json({
    method: 'POST',
    path: '/app/sms/clis/reject',
    input: z.object({ cliIds: Ids, reason: Reason }),
    reply: Outcomes,
  }),
  delete: json({ method: 'DELETE', path: '/app/sms/cli/:cliId', input: CliIdInput, reply: Message }),
}
export type SenderRow = RowOf<typeof smsSenderRoutes.list>
