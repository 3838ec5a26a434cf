import * as z from 'zod/mini'
import { json } from './route.ts'
import { Message, Text } from './values.ts'

/**
 * Whether mail goes to the account's address: its reader has confirmed it; nobody has; nobody has, and the link waits until tomorrow, because
 * today's mails are used up; or there is no address for mail.
 */
const mailStates = ['confirmed', 'unconfirmed', 'waiting', 'none'] as const
export type MailState = (typeof mailStates)[number]
export const MailState = z.enum(mailStates)

/** For how long a link confirms an address. */
export const verificationDays = 3

export const mailRoutes = {
  /** `token` is the end of the mailed link. It works once, without a session. */
  verify: json({ method: 'POST', path: '/api/obd/mail/verify', input: z.object({ token: Text(200) }), reply: Message }),
  /** Mails the link again, to the address of the signed-in account. */
  sendAgain: json({ method: 'POST', path: '/api/obd/mail/verify/again', reply: Message }),
}
