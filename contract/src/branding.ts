import * as z from 'zod/mini'
import { file, json } from './route.ts'
import { Text } from './values.ts'

/** What the login screen and the shell show. `demo`: demo accounts exist, and the login screen names them. */
export const Branding = z.object({
  company: z.string(),
  logoUrl: z.nullable(z.string()),
  primaryColour: z.nullable(z.string()),
  demo: z.boolean(),
})
export type Branding = z.output<typeof Branding>

/**
 * The brand of the visitor's host name (specification 2 §7). The console's first bundle contains these calls; brands.ts has those that change a
 * brand.
 */
export const brandingRoutes = {
  byHost: json({
    method: 'GET',
    path: '/api/obd/branding/:hostname',
    input: z.object({ hostname: Text(253) }),
    reply: Branding,
  }),
  /** '<sha-256>.png': the picture at an address never changes. */
  logo: file({ path: '/api/obd/logo/:logo', input: z.object({ logo: Text(100) }) }),
}
