import * as z from 'zod/mini'
import { roles } from './roles.ts'
import { choice, dates, text } from './filters.ts'
import { file, list } from './route.ts'
import { Search } from './values.ts'

const AuditRow = z.object({
  auditId: z.number(),
  at: z.string(),
  /** null: nobody was signed in. */
  username: z.nullable(z.string()),
  /** Of whoever did it. */
  role: z.nullable(z.enum(roles)),
  /** 'campaign.stop'; the console has words for it. */
  action: z.string(),
  /** 'campaign 12'. */
  target: z.nullable(z.string()),
  /** What the target is called, where that is known. */
  targetName: z.nullable(z.string()),
  /** '' where somebody above did it. */
  ip: z.string(),
  /** What changed, 'reason: complaints; plan: Gold'. */
  detail: z.string(),
  /** The same one by one: amounts, times and names as people write them, `name` as the server calls it. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type AuditRow = z.output<typeof AuditRow>

const filters = {
  /** A username. */
  actor: text,
  /** 'campaign.stop', or 'campaign' for all of its kind. */
  action: text,
  target: text,
  date: dates,
  /** What somebody else opened of the viewer's, or of those below the viewer. */
  opened: choice(['others']),
} as const

/** Who did what to whom, from where: own, of the subtree, of all (docs/api.md#who-may-what); and who opened what belongs to these. */
export const auditRoutes = {
  list: list({ path: '/api/obd/audit', filters, row: AuditRow, sort: ['-at'] }),
  csv: file({ path: '/api/obd/audit-log.csv', input: z.object({ search: z.optional(Search) }), filters }),
}
