import * as z from 'zod/mini'
import { messages } from './messages.ts'
import { file, json } from './route.ts'
import { Id, Message, Text, UserIdInput } from './values.ts'

const WireRoleName = z.enum(['ROLE_USER', 'ROLE_ADMIN', 'ROLE_SADMIN'])

export const authRoutes = {
  login: json({
    method: 'POST',
    path: '/api/obd/login',
    input: z.object({ username: Text(100, messages.loginRequired), password: Text(1000, messages.loginRequired) }),
    reply: z.object({ message: z.string(), token: z.string(), userid: Id, role: z.array(WireRoleName) }),
  }),
  logout: json({ method: 'POST', path: '/api/obd/logout', reply: Message }),
  /** The console's first question: who am I? 401 when signed out. */
  session: json({
    method: 'GET',
    path: '/api/obd/session',
    reply: z.object({
      userId: z.number(),
      username: z.string(),
      role: WireRoleName,
      /** Posted balance, and what calls under way have reserved of it; null for the super admin. */
      balance: z.nullable(z.object({ credits: z.number(), reserved: z.number() })),
      accountType: z.number(),
      /** True while the embedded simulator speeds time up; says by how much. */
      simulatorSpeed: z.nullable(z.number()),
      /** The demo's calls are real ones, to a virtual operator on the same machine. */
      virtualOperator: z.boolean(),
    }),
  }),
}

/** What a first start on the embedded database makes. */
export const demoAccounts = ['superadmin', 'reseller', 'user', 'user2'] as const
export const demoPassword = 'ghanti-demo'

/** Who the visitor's host name belongs to (spec 2 §7). */
export const brandingRoutes = {
  byHost: json({
    method: 'GET',
    path: '/api/obd/branding/:hostname',
    input: z.object({ hostname: Text(253) }),
    reply: z.object({
      company: z.string(),
      logoUrl: z.nullable(z.string()),
      primaryColour: z.nullable(z.string()),
      /** While demo accounts exist, the login screen names them. */
      demo: z.boolean(),
    }),
  }),
  logo: file({ path: '/api/obd/branding/:hostname/logo', input: z.object({ hostname: Text(253) }) }),
}

export const userRoutes = {
  profile: json({
    method: 'GET',
    path: '/api/obd/user/profile/:userId',
    input: UserIdInput,
    reply: z.object({
      userId: z.number(),
      name: z.string(),
      username: z.string(),
      emailid: z.string(),
      number: z.string(),
      company: z.string(),
      address: z.string(),
      pincode: z.string(),
      planName: z.nullable(z.string()),
      credits: z.nullable(z.number()),
      channels: z.nullable(z.number()),
      accountType: z.number(),
      expiryDate: z.nullable(z.string()),
    }),
  }),
  dashboard: json({
    method: 'GET',
    path: '/api/obd/dashboard/:userId',
    input: UserIdInput,
    reply: z.object({
      dbHeader: z.object({
        totalVoiceCampaigns: z.number(),
        totalCalls: z.number(),
        connectedCalls: z.number(),
        voiceCreditsAvailable: z.nullable(z.number()),
        resellers: z.number(),
        endUsers: z.number(),
      }),
      dbUserWiseCampaigns: z.array(z.object({ username: z.string(), totalCampaigns: z.number() })),
    }),
  }),
}
