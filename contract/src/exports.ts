import * as z from 'zod/mini'
import { callReportRoutes } from './call-report.ts'
import { file, json } from './route.ts'
import { jsonOr } from './bounded-json.ts'
import { Id, Message, OneLine, orRequired, Text, UserIdInput } from './values.ts'

/** 'calls': every call of the call report; 'rows': every row of a campaign and how it ended, so those not reached too. */
const exportKinds = ['calls', 'rows'] as const
export type ExportKind = (typeof exportKinds)[number]
export const exportFormats = ['csv', 'xlsx', 'parquet'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** What each kind can be narrowed down to. Without `userId`, calls are the viewer's own. */
export const exportFilters = {
  calls: z.strictObject({ ...callReportRoutes.exportCsv.input.shape, userId: z.optional(Id) }),
  rows: z.strictObject({ campaignId: Id }),
} satisfies Record<ExportKind, z.ZodMiniType>
export type ExportFilters = { [Kind in ExportKind]: z.output<(typeof exportFilters)[Kind]> }

export const exportStatusCode = { queued: '0', making: '1', ready: '2', failed: '3' } as const

const oneOf = (values: readonly string[]) => orRequired(`must be one of ${values.join(', ')}`)

export const ExportRow = z.object({
  exportId: z.number(),
  kind: z.enum(exportKinds),
  format: z.enum(exportFormats),
  fileName: z.string(),
  exportStatus: z.enum(Object.values(exportStatusCode)),
  /** Written so far, or in all. */
  rows: z.number(),
  bytes: z.number(),
  askedTime: z.string(),
  /** Nepal time after which the file is deleted; null until it is ready. */
  expiryTime: z.nullable(z.string()),
  /** Why it failed, continuing a sentence that begins 'The export'. */
  reason: z.nullable(z.string()),
  /** Calls up to this Nepal time had been archived and are not in the file; null when none had. */
  archivedTo: z.nullable(z.string()),
})
export type ExportRow = z.output<typeof ExportRow>

export const exportRoutes = {
  ask: json({
    method: 'POST',
    path: '/api/obd/export',
    input: z.object({
      kind: z.enum(exportKinds, oneOf(exportKinds)),
      format: z.enum(exportFormats, oneOf(exportFormats)),
      filter: z.optional(
        jsonOr(z.record(OneLine({ error: 'must be text' }), z.unknown(), { error: 'must be an object' })),
      ),
    }),
    reply: z.object({ message: z.string(), exportId: z.number() }),
  }),
  /** The viewer's own, newest first. */
  list: json({ method: 'GET', path: '/api/obd/exports/:userId', input: UserIdInput, reply: z.array(ExportRow) }),
  download: file({
    path: '/exports/:exportId/:fileName',
    input: z.object({ exportId: Id, fileName: Text(300) }),
  }),
  /** Also cancels one that waits or is being made. */
  delete: json({
    method: 'DELETE',
    path: '/api/obd/export/:exportId',
    input: z.object({ exportId: Id }),
    reply: Message,
  }),
}
