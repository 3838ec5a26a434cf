import * as z from 'zod/mini'
import { json } from './route.ts'
import { UserIdInput } from './values.ts'

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
