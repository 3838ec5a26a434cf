import * as z from 'zod/mini'
import { json } from './route.ts'
import { UserIdInput } from './values.ts'

export const lineRoutes = {
  /** What an account may call from. */
  clisOfUser: json({
    method: 'GET',
    path: '/api/obd/cli/user/:userId',
    input: UserIdInput,
    reply: z.array(z.object({ cliId: z.number(), cli: z.string(), channels: z.number(), cliStatus: z.number() })),
  }),
}
