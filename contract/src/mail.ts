import * as z from 'zod/mini'
import { json } from './route.ts'
import { Message, Text } from './values.ts'

/** unconfirmed: nobody has yet; waiting: the link goes out tomorrow, because today's mails are used up; none: no address. */
const mailStates = ['confirmed', 'unconfirmed', 'waiting', 'none'] as const
export type MailState = (typeof mailStates)[number]
export const MailState = z.enum(mailStates)

/** For a link. */
export const verificationDays = 3

export const mailRoutes = {
  /** `token`: the end of the mailed link. Once, without a session. */
  verify: json({ method: 'POST', path: '/api/obd/mail/verify', input: z.object({ token: Text(200) }), reply: Message }),
  /** To the signed-in account's address. */
  sendAgain: json({ method: 'POST', path: '/api/obd/mail/verify/again', reply: Message }),
}
