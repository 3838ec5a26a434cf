import * as z from 'zod/mini'
import { json } from './route.ts'
import { Message } from './values.ts'

const WireRoleName = z.enum(['ROLE_USER', 'ROLE_ADMIN', 'ROLE_SADMIN'])

/** Those of the sign-in's pages are in sign-in.ts, which the console loads with them. */
export const authRoutes = {
  logout: json({ method: 'POST', path: '/api/obd/logout', reply: Message }),
  /** Who is signed in; 401 when nobody is. */
  session: json({
    method: 'GET',
    path: '/api/obd/session',
    reply: z.object({
      userId: z.number(),
      username: z.string(),
      /** The person's, for the greeting. */
      name: z.string(),
      role: WireRoleName,
      /** The posted balance, and the part of it that running calls have reserved. Null for the super admin. */
      balance: z.nullable(z.object({ credits: z.number(), reserved: z.number() })),
      accountType: z.number(),
      /** Whom to ask: company and telephone of the account above, which gave this one its plan and balance. Null for super admins. */
      provider: z.nullable(z.object({ company: z.string(), number: z.string() })),
      /** How many times faster than real the simulated network runs; 1: as fast. Null: there is none. */
      simulatorSpeed: z.nullable(z.number()),
      /** The demo's calls are real ones, to a virtual operator on the same machine. */
      virtualOperator: z.boolean(),
      /**
       * The parts of the viewer's dialling that an administrator has stopped: a sentence each, with the reason. The event 'dialling' of the
       * event stream updates it.
       */
      stopped: z.array(z.string()),
      /**
       * What the session must do before it reaches anything else: set a password, because somebody above chose it, or add a second factor. Absent when
       * nothing is lacking.
       */
      must: z.optional(z.enum(['password', 'factor'])),
    }),
  }),
}

/** The accounts that a first start on the embedded database creates. */
export const demoAccounts = ['superadmin', 'reseller', 'user', 'user2', 'agency', 'client'] as const
export const demoPassword = 'ghanti-demo'
