import * as z from 'zod/mini'
import { json } from './route.ts'
import { Message, Text } from './values.ts'

/**
 * Whether mail goes to the account's address: somebody who reads it has confirmed it; nobody has; nobody has, and the link waits until the next day,
 * since the mails of this one are used up; there is no address that mail could go to.
 */
const mailStates = ['confirmed', 'unconfirmed', 'waiting', 'none'] as const
export type MailState = (typeof mailStates)[number]
export const MailState = z.enum(mailStates)

/** How long a link confirms an address. */
export const verificationDays = 3

export const mailRoutes = {
  /** `token` is the end of the mailed link; it works once. Who opens the link need not be signed in. */
  verify: json({ method: 'POST', path: '/api/obd/mail/verify', input: z.object({ token: Text(200) }), reply: Message }),
  /** Mails the link to the address of whoever is signed in again. */
  sendAgain: json({ method: 'POST', path: '/api/obd/mail/verify/again', reply: Message }),
}
