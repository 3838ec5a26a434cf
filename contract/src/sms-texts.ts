import * as z from 'zod/mini'
import { account, choices, dates } from './filters.ts'
import { json, list, type RowOf } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { approvalCodes } from './sms-approval.ts'
import { Id, Message, Name, orRequired, Paragraph, Text, textMax } from './values.ts'

/** Per account. */
export const savedTextsMax = 500

/** Which texts need a super admin's approval: those of promotional accounts, and those that contain one of `words`. */
export const TextApproval = z.object({
  promotional: z.boolean(orRequired('must be true or false')),
  words: z
    .array(Text(50), orRequired('must be a list of words'))
    .check(z.maxLength(500, { error: 'has more than 500 words' })),
})
export type TextApproval = z.output<typeof TextApproval>

const TextRow = z.object({
  textId: z.number(),
  textName: z.string(),
  smsText: z.string(),
  /** 0 pending, 1 approved, 2 rejected. */
  textStatus: z.number(),
  /** Approved as urgent: what programs send with it leaves at any hour. */
  urgent: z.boolean(),
  reason: z.nullable(z.string()),
  userId: z.number(),
  username: z.string(),
  accountType: z.number(),
  changedAt: z.string(),
})
const sort = ['-textId', 'textName', 'textStatus', 'username'] as const
const waitingFirst = ['textStatus', 'textId', 'textName', 'username'] as const
const TextIdInput = z.object({ textId: Id })
const Reason = Paragraph(500)
const filters = { textStatus: choices(approvalCodes), changed: dates, customer: account } as const

export const smsTextRoutes = {
  /** Registered before the parameter route. For super admins: everybody's, the longest waiting first. */
  listAll: list({ path: '/app/sms/texts/list', filters, row: TextRow, sort: waitingFirst }),
  /** The caller's own id shows all that the role may read, a descendant's that account's. */
  list: list({ path: '/app/sms/texts/:userId', input: z.object({ userId: Id }), filters, row: TextRow, sort }),
  /** With `textId` it changes that text; a changed text needs approval again. */
  save: json({
    method: 'POST',
    path: '/app/sms/text',
    input: z.object({ textId: z.optional(Id), textName: Name, smsText: Paragraph(textMax) }),
    reply: z.object({ message: z.string(), textId: z.number(), textStatus: z.number() }),
  }),
  delete: json({ method: 'DELETE', path: '/app/sms/text/:textId', input: TextIdInput, reply: Message }),
  /** `urgent`: what programs send with it leaves at any hour. */
  approve: json({
    method: 'POST',
    path: '/app/sms/text/approve/:textId',
    input: z.object({ textId: Id, urgent: z.optional(z.boolean(orRequired('must be true or false'))) }),
    reply: Message,
  }),
  reject: json({
    method: 'POST',
    path: '/app/sms/text/reject/:textId',
    input: z.object({ textId: Id, reason: Reason }),
    reply: Message,
  }),
  approveMany: json({
    method: 'POST',
    path: '/app/sms/texts/approve',
    input: z.object({ textIds: Ids }),
    reply: Outcomes,
  }),
  rejectMany: json({
    method: 'POST',
    path: '/app/sms/texts/reject',
    input: z.object({ textIds: Ids, reason: Reason }),
    reply: Outcomes,
  }),
}
export type TextRow = RowOf<typeof smsTextRoutes.list>
