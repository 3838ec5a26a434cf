import * as z from 'zod/mini'
import { noticesPath } from './notice-events.ts'
import type { Role } from './roles.ts'
import { choice, choices, dates } from './filters.ts'
import { json, list } from './route.ts'
import { languages } from './templates.ts'
import { Ids, Outcomes } from './bulk.ts'
import { Id, Message, wireInt } from './values.ts'

const noticeKinds = [
  'lowBalance',
  'childLowBalance',
  'childChanged',
  'campaignComplete',
  'campaignHeld',
  'campaignOutOfMoney',
  'campaignFailed',
  'campaignStopped',
  'promptApproved',
  'promptRejected',
  'voicePackApproved',
  'voicePackRejected',
  'reportReady',
  'exportReady',
  'recordingsNearlyFull',
  'recordingsFull',
  'trunkDown',
  'senderApproved',
  'senderRejected',
  'textApproved',
  'textRejected',
  'gatewayDown',
  'smsComplete',
  'smsHeld',
  'smsOutOfMoney',
  'smsFailed',
  'smsStopped',
  'repeatFailed',
  'newBrowser',
  'passwordChanged',
  'emailChanged',
  'factorChanged',
  'keyMade',
  'wrongCodes',
  'hookOff',
] as const
export type NoticeKind = (typeof noticeKinds)[number]
const Kind = z.enum(noticeKinds)

/** What every account is told of its own security. It cannot be chosen away. */
export const securityKinds = [
  'newBrowser',
  'passwordChanged',
  'emailChanged',
  'factorChanged',
  'keyMade',
  'wrongCodes',
] as const satisfies readonly NoticeKind[]

/** What each role is notified of, as it chooses. Accounts that give credits are notified of the balances of their direct children. */
export const noticeKindsOf = {
  user: [
    'lowBalance',
    'campaignComplete',
    'campaignHeld',
    'campaignOutOfMoney',
    'campaignFailed',
    'campaignStopped',
    'smsComplete',
    'smsHeld',
    'smsOutOfMoney',
    'smsFailed',
    'smsStopped',
    'repeatFailed',
    'promptApproved',
    'promptRejected',
    'voicePackApproved',
    'voicePackRejected',
    'senderApproved',
    'senderRejected',
    'textApproved',
    'textRejected',
    'reportReady',
    'exportReady',
    'recordingsNearlyFull',
    'recordingsFull',
    'hookOff',
  ],
  reseller: [
    'lowBalance',
    'childLowBalance',
    'childChanged',
    'promptApproved',
    'promptRejected',
    'voicePackApproved',
    'voicePackRejected',
    'reportReady',
    'exportReady',
    'hookOff',
  ],
  superAdmin: ['trunkDown', 'gatewayDown', 'childLowBalance', 'reportReady', 'exportReady'],
} as const satisfies Record<Role, readonly NoticeKind[]>

export const NoticeRow = z.object({
  noticeId: z.number(),
  kind: Kind,
  /** The campaign of calls or messages, voice file, voice pack, account, trunk, gateway, sender ID, text or export. */
  subjectId: z.number(),
  about: z.string(),
  reason: z.nullable(z.string()),
  /** What the account had left, in rupees. */
  balance: z.nullable(z.number()),
  /** The last time it happened; earlier unread ones are counted with it. */
  at: z.string(),
  times: z.number(),
  read: z.boolean(),
})
export type NoticeRow = z.output<typeof NoticeRow>

const Choice = z.object({ kind: Kind, onScreen: z.boolean(), byMail: z.boolean() })
export type NoticeChoice = z.output<typeof Choice>
/** In whole rupees. */
const lowBalanceLimitMax = 10_000_000

export const noticeRoutes = {
  list: list({
    path: noticesPath,
    filters: { kind: choices(noticeKinds), state: choice(['unread', 'read']), at: dates },
    row: NoticeRow,
    sort: ['-at'],
  }),
  read: json({ method: 'POST', path: '/api/obd/notices/read', input: z.object({ noticeId: Id }), reply: Message }),
  readMany: json({
    method: 'POST',
    path: '/api/obd/notices/readmany',
    input: z.object({ noticeIds: Ids }),
    reply: Outcomes,
  }),
  readAll: json({ method: 'POST', path: '/api/obd/notices/readall', reply: Message }),
  choices: json({
    method: 'GET',
    path: '/api/obd/notices/choices',
    reply: z.object({
      choices: z.array(Choice),
      /** Null for super admins, who have no balance. */
      lowBalanceLimit: z.nullable(z.number()),
      /** Where mails go; null when the account has no address, or this server sends no mail. */
      mailAddress: z.nullable(z.string()),
      /** Until the address is confirmed, notices are on screen only. */
      mailConfirmed: z.boolean(),
      /** The account's mails of today are used up; until tomorrow, notices are on screen only. */
      mailsUsedUp: z.boolean(),
      /** Null when none was chosen: mails are then in English. */
      mailLanguage: z.nullable(z.enum(languages)),
    }),
  }),
  choose: json({
    method: 'POST',
    path: '/api/obd/notices/choices',
    input: z.object({
      choices: z
        .array(Choice)
        .check(z.maxLength(noticeKinds.length, { error: `has more than the ${noticeKinds.length} kinds` })),
      lowBalanceLimit: z.optional(wireInt(0, lowBalanceLimitMax)),
      mailLanguage: z.optional(z.enum(languages)),
    }),
    reply: Message,
  }),
}
