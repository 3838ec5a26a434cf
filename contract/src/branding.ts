import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Text } from './values.ts'

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
