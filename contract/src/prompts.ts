import * as z from 'zod/mini'
import { account, choices, dates } from './filters.ts'
import { file, json, list, upload } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { promptCategories } from './templates.ts'
import { Id, mebibyte, Message, nameMax, OneLine, orRequired, Paragraph, Text, UserIdInput } from './values.ts'

/** Room for 180 seconds of telephone sound, and a little more. */
export const promptMaxBytes = 3 * mebibyte
export const promptSecondsMax = 180

/** Specification 1 §3. */
export const promptStatusCode = { pending: 0, approved: 1, rejected: 2 } as const
export type PromptStatus = keyof typeof promptStatusCode
export const promptStatusLabel: Record<PromptStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
}

const PromptRow = z.object({
  promptId: z.number(),
  /** Ends in .wav; also the last part of the URL at which to listen to it. */
  fileName: z.string(),
  userId: z.number(),
  promptCategory: z.string(),
  promptStatus: z.number(),
  accountType: z.number(),
  username: z.string(),
  durationMs: z.number(),
  uploadedAt: z.string(),
  /** Null when it was not rejected or no reason was given. */
  rejectReason: z.nullable(z.string()),
})
export type PromptRow = z.output<typeof PromptRow>
const sort = ['-promptId', 'fileName', 'promptCategory', 'promptStatus', 'accountType', 'username'] as const
const PromptIdInput = z.object({ promptId: Id })
/** `customer`: that account and all below it. */
const ownFilters = {
  promptStatus: choices(['0', '1', '2']),
  promptCategory: choices(promptCategories),
  uploaded: dates,
} as const
const filters = { ...ownFilters, customer: account } as const

/** The name without '.wav', which replies append. It becomes a file name and the last part of a URL. */
const PromptName = z.pipe(
  Text(nameMax + 4),
  z.pipe(
    z.transform((name: string) =>
      name
        .normalize('NFC')
        .replace(/\.wav$/i, '')
        .trim(),
    ),
    Text(nameMax).check(
      z.regex(/^[^/\\:*?"<>|\r\n\t]*$/, { error: 'must not hold / \\ : * ? " < > |' }),
      z.regex(/^(?!\.)/, { error: 'must not begin with a dot' }),
    ),
  ),
)

export const promptRoutes = {
  categories: json({
    method: 'GET',
    path: '/api/obd/prompt/cat',
    reply: z.array(z.object({ promptCategory: z.string() })),
  }),
  upload: upload({
    path: '/api/obd/promptupload',
    input: z.object({
      userId: z.optional(Id),
      fileName: PromptName,
      promptCategory: z.enum(promptCategories, orRequired('is not a category')),
    }),
    files: { waveFile: { maxBytes: promptMaxBytes, required: true } },
    /** `notes`: what the sender should know about the sound, where there is anything. */
    reply: z.object({ message: z.string(), promptId: z.number(), notes: z.optional(z.array(z.string())) }),
  }),
  /** Registered before the parameter route. All prompts, for super admins. */
  listAll: list({ path: '/api/obd/prompts/list', filters, row: PromptRow, sort }),
  /** Prompts of the accounts below a reseller; the reseller's own are in `list`. */
  listOfCustomers: list({ path: '/api/obd/prompts/customers', filters, row: PromptRow, sort }),
  /** The caller's own id or a descendant's. `promptStatus` and `promptCategory` are for pickers. */
  list: list({
    path: '/api/obd/prompts/:userId',
    input: z.object({ userId: Id }),
    filters: ownFilters,
    row: PromptRow,
    sort,
  }),
  delete: json({ method: 'DELETE', path: '/api/obd/prompt/:promptId', input: PromptIdInput, reply: Message }),
  approve: json({ method: 'POST', path: '/api/obd/prompt/approve/:promptId', input: PromptIdInput, reply: Message }),
  reject: json({
    method: 'POST',
    path: '/api/obd/prompt/reject/:promptId',
    input: z.object({ promptId: Id, reason: z.optional(Paragraph(500)) }),
    reply: Message,
  }),
  approveMany: json({
    method: 'POST',
    path: '/api/obd/prompts/approve',
    input: z.object({ promptIds: Ids }),
    reply: Outcomes,
  }),
  rejectMany: json({
    method: 'POST',
    path: '/api/obd/prompts/reject',
    input: z.object({ promptIds: Ids, reason: z.optional(Paragraph(500)) }),
    reply: Outcomes,
  }),
  /** For dialers, by content hash. Each dialer has its own signature, which stays the same while its address and credentials do. */
  sound: file({
    path: '/media/:sound',
    input: z.object({
      sound: OneLine({ error: 'must be a SHA-256 in hex and .wav' }).check(
        z.regex(/^[0-9a-f]{64}\.wav$/, { error: 'must be a SHA-256 in hex and .wav' }),
      ),
      signature: Text(100),
    }),
  }),
  listen: file({
    path: '/assets/voice/:userId/prompts/:fileName',
    input: z.object({ ...UserIdInput.shape, fileName: PromptName }),
  }),
}
