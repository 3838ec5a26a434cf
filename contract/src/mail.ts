import * as z from 'zod/mini'
import { json } from './route.ts'
import { Message } from './values.ts'

/**
 * Whether mail goes to the account's address. confirmed: its reader confirmed it; unconfirmed: nobody has yet; waiting: the link goes out tomorrow,
 * because today's mails are used up; none: there is no address for mail.
 */
const mailStates = ['confirmed', 'unconfirmed', 'waiting', 'none'] as const
export type MailState = (typeof mailStates)[number]
export const MailState = z.enum(mailStates)

/** How long a link is valid. */
export const verificationDays = 3

export const mailRoutes = {
  /** Mails the link again to the signed-in account's address. */
  sendAgain: json({ method: 'POST', path: '/api/obd/mail/verify/again', reply: Message }),
}
