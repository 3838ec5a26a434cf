import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Text } from './values.ts'

/** What the login screen and the shell show; `demo`: demo accounts exist, the login screen names them. */
export const Branding = z.object({
  company: z.string(),
  logoUrl: z.nullable(z.string()),
  primaryColour: z.nullable(z.string()),
  demo: z.boolean(),
})
export type Branding = z.output<typeof Branding>

/** Who the visitor's host name belongs to (specification 2 §7). In the console's first bundle: what changes a brand is in brands.ts. */
export const brandingRoutes = {
  byHost: json({
    method: 'GET',
    path: '/api/obd/branding/:hostname',
    input: z.object({ hostname: Text(253) }),
    reply: Branding,
  }),
  /** '<sha-256>.png': never another picture at the same address. */
  logo: file({ path: '/api/obd/logo/:logo', input: z.object({ logo: Text(100) }) }),
}
