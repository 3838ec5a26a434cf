import * as z from 'zod/mini'
import { file, list } from './route.ts'
import { NepalTime, Search, Text } from './values.ts'

/** What people read for the names of what changed; `before.planId` is 'before plan'. */
export const auditDetailWords: Readonly<Record<string, string>> = {
  name: 'name',
  username: 'username',
  reason: 'reason',
  role: 'user type',
  accountType: 'account type',
  planId: 'plan',
  channels: 'channels',
  expiresAt: 'expires',
  before: 'before',
  after: 'after',
  returnedPaisa: 'balance returned',
  clis: 'caller IDs',
  dialBlockId: 'stop',
  hours: 'hours',
  holidays: 'holidays',
  by: 'by',
  fileName: 'file',
  uploadType: 'upload type',
  pool: 'pool',
  cli: 'caller ID',
  trunkName: 'trunk',
  holders: 'holders',
  userId: 'account',
  ownerId: 'owner',
  ended: 'taken back',
  campaignName: 'campaign',
  baseId: 'contacts',
  templateId: 'template',
  now: 'answered calls ended',
  pasted: 'pasted',
  rows: 'rows',
  dialable: 'dialable',
  category: 'category',
  durationMs: 'length',
  domain: 'domain',
  company: 'company',
  primaryColour: 'colour',
  logo: 'logo',
  search: 'search',
  credits: 'amount',
  reference: 'reference',
  paymentMode: 'payment mode',
  note: 'note',
  type: 'type',
  kind: 'kind',
  subject: 'where',
  detail: 'cause',
  retired: 'demo accounts gone',
  accepted: 'accepted',
  duplicate: 'duplicate',
  invalid: 'invalid',
  month: 'month',
  from: 'from',
  to: 'until',
  action: 'action',
  actor: 'user',
  target: 'target',
  pulseMs: 'pulse',
  pulsePaisa: 'pulse price',
  smsPricePaisa: 'SMS price',
  host: 'host',
  port: 'port',
  cps: 'CPS',
  allocated: 'allocated',
  language: 'language',
  words: 'words',
  key: 'word',
}

const AuditRow = z.object({
  auditId: z.number(),
  at: z.string(),
  /** null: nobody was signed in. */
  username: z.nullable(z.string()),
  /** 'campaign.stop'; the console has words for it. */
  action: z.string(),
  /** 'campaign 12'. */
  target: z.nullable(z.string()),
  /** What the target is called, where that is known. */
  targetName: z.nullable(z.string()),
  ip: z.string(),
  /** What changed, 'reason: complaints; plan: Gold'. */
  detail: z.string(),
  /** The same one by one: amounts, times and names as people write them, `name` as the server calls it. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
})
export type AuditRow = z.output<typeof AuditRow>

/** `from` up to, but without, `to`. `search` finds parts of action, target, name, reason and username. */
const Filter = z.object({
  actor: z.optional(Text(100)),
  action: z.optional(Text(100)),
  target: z.optional(Text(100)),
  from: z.optional(NepalTime),
  to: z.optional(NepalTime),
})

/** Who did what to whom, from where: own, of the subtree, of all (WIRE.md, Who may what). */
export const auditRoutes = {
  list: list({ path: '/api/obd/audit', input: Filter, row: AuditRow, sort: ['-at'] }),
  csv: file({ path: '/api/obd/audit-log.csv', input: z.object({ ...Filter.shape, search: z.optional(Search) }) }),
}
