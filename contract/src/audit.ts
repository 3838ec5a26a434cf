import * as z from 'zod/mini'
import { roles } from './roles.ts'
import { choice, dates, text } from './filters.ts'
import { file, list } from './route.ts'
import { Search } from './values.ts'

const AuditRow = z.object({
  auditId: z.number(),
  at: z.string(),
  /** Null when nobody was signed in. */
  username: z.nullable(z.string()),
  role: z.nullable(z.enum(roles)),
  action: z.string(),
  target: z.nullable(z.string()),
  targetName: z.nullable(z.string()),
  /** '' when an account above did it. */
  ip: z.string(),
  /** What changed, 'reason: complaints; plan: Gold'. */
  detail: z.string(),
  /** The same as separate fields. Amounts, times and names are written for people; `name` is the server's. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type AuditRow = z.output<typeof AuditRow>

const filters = {
  actor: text,
  /** 'campaign.stop', or 'campaign' for all of its kind. */
  action: text,
  target: text,
  date: dates,
  /** Only lines in which others opened something of the viewer's, or of accounts below. */
  opened: choice(['others']),
} as const

/** Who did what to whom, and from where, within the viewer's own account, subtree or platform (docs/api.md#who-may-do-what). */
export const auditRoutes = {
  list: list({ path: '/api/obd/audit', filters, row: AuditRow, sort: ['-at'] }),
  csv: file({ path: '/api/obd/audit-log.csv', input: z.object({ search: z.optional(Search) }), filters }),
}
