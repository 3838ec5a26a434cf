import * as z from 'zod/mini'
import { HiddenCounts, listReading } from './contacts.ts'
import { MoreNumbers } from './more-numbers.ts'
import { dates } from './filters.ts'
import { file, json, list, upload } from './route.ts'
import { Ids, Outcomes } from './bulk.ts'
import { Id, mebibyte, Message, orRequired, UserIdInput, WrittenNumber } from './values.ts'

export const blacklistMaxBytes = 20 * mebibyte
/** How long the refused lines of an upload can be downloaded. */
export const refusedKeptDays = 30

const BlacklistRow = z.object({
  blacklistId: z.number(),
  /** National digits: ten of a mobile, or 0 and eight of a landline. */
  mobile: z.string(),
  reqDate: z.string(),
})
export type BlacklistRow = z.output<typeof BlacklistRow>

/** Which numbers of a file were taken: how many of each column. */
const FromColumns = z.array(z.object({ column: z.string(), numbers: z.number() }))
export type FromColumns = z.output<typeof FromColumns>

/**
 * The result of a file: `numbers = accepted + duplicate`. A number that is twice in the file, or on the own list already, is a duplicate. Each of
 * `rows - invalid` rows has one number or more; a refused row may have numbers in other columns, which are taken.
 */
const UploadedBlacklist = z.object({
  message: z.string(),
  uploadId: z.number(),
  rows: z.number(),
  accepted: z.number(),
  duplicate: z.number(),
  invalid: z.number(),
  /** Hidden rows of an Excel file are always taken. */
  ...HiddenCounts,
  numbers: z.number(),
  /** `numbers` by column. */
  fromColumns: FromColumns,
  /** Rows with numbers that were not taken: where a column was chosen, those of the others; else landlines of other columns. */
  moreNumbers: MoreNumbers,
  /** The first refused lines; `refusedFile` has all. */
  refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
})
export type UploadedBlacklist = z.output<typeof UploadedBlacklist>

/** A number as somebody wrote it, also as a JSON number. phone.ts decides whether it is dialable. */
const Mobile = z.pipe(
  z.union([WrittenNumber(), z.number()], orRequired('must be a phone number')),
  z.transform((value) => String(value).trim()),
)

export const blacklistRoutes = {
  /**
   * The account's own numbers; a super admin's are the platform's. Inherited numbers are not listed; `check` answers for a single one
   * (docs/api.md#blacklist).
   */
  list: list({
    path: '/api/obd/blacklist/:userId',
    input: UserIdInput,
    filters: { added: dates },
    row: BlacklistRow,
    sort: ['-blacklistId', 'reqDate'],
  }),
  /**
   * Whether a number is on the viewer's own list, on one above, or on the platform's. Limited per account and minute, so that nobody can read
   * the whole list.
   */
  check: json({
    method: 'GET',
    path: '/api/obd/blacklist/check/:mobile',
    input: z.object({ mobile: Mobile }),
    reply: z.object({ blacklisted: z.boolean() }),
  }),
  add: json({
    method: 'POST',
    path: '/api/obd/blacklist',
    input: z.object({ userId: z.optional(Id), mobile: Mobile }),
    reply: Message,
  }),
  delete: json({
    method: 'DELETE',
    path: '/api/obd/blacklist/:blacklistId',
    input: z.object({ blacklistId: Id }),
    reply: Message,
  }),
  deleteMany: json({
    method: 'POST',
    path: '/api/obd/blacklist/delete',
    input: z.object({ blacklistIds: Ids }),
    reply: Outcomes,
  }),
  upload: upload({
    path: '/api/obd/blistupload',
    input: z.object({ userId: z.optional(Id), ...listReading }),
    files: { blistFile: { maxBytes: blacklistMaxBytes, required: true } },
    reply: UploadedBlacklist,
  }),
  refusedFile: file({
    path: '/api/obd/blistupload/:uploadId/refused.csv',
    input: z.object({ uploadId: Id }),
  }),
}
