import * as z from 'zod/mini'
import { choice, dates } from './filters.ts'
import { file, json, upload } from './route.ts'
import { templates } from './templates.ts'
import { Ids, Outcomes } from './several.ts'
import { Id, jsonOr, mebibyte, Message, Name, nameMax, OneLine, UserIdInput, wireInt, WrittenNumber } from './values.ts'

export const contactsMaxBytes = 20 * mebibyte

/** Listed when rows are added to a file. */
export const addedRefusedMax = 1000

/** As long as a file may be; lines are checked one by one. */
const pastedNumbers = { maxBytes: contactsMaxBytes, orText: true } as const

const UploadedBase = z.object({ message: z.string(), baseId: z.number(), rows: z.number(), dialable: z.number() })

/** As things are now. */
export const CampaignStart = z.object({
  /** Null: the obstacle does not pass by itself, or lasts until the campaign is over. */
  at: z.nullable(z.string()),
  /** When the calling hours open, if closed at the campaign's time: a time to schedule it for. */
  opensAt: z.nullable(z.string()),
  /** In the words that the campaign will show. Empty when nothing prevents it. */
  reasons: z.array(z.object({ cause: z.enum(['hours', 'stopped', 'line']), text: z.string() })),
})
export type CampaignStart = z.output<typeof CampaignStart>

/** docs/api.md#preview: `rows = accepted + blacklisted + invalid + duplicate`. */
const FilePreview = z.object({
  rows: z.number(),
  accepted: z.number(),
  blacklisted: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  columns: z.array(z.string()),
  /** With all their columns. Does not show which numbers are blacklisted. */
  first: z.array(z.object({ line: z.number(), mobile: z.string(), values: z.record(z.string(), z.string()) })),
  refusedKept: z.number(),
  /** The first, with reasons. `refusedFile` has more. */
  refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
})

export const ContactPreview = z.object({
  ...FilePreview.shape,
  /** Longest and shortest possible outcome. Null without a CLI or plan. */
  estimate: z.nullable(
    z.object({
      /** If everybody answered and listened to the end. */
      atMost: z.number(),
      /** Null except for call patch. */
      perAgentMinute: z.nullable(z.number()),
      oneCallAtMost: z.number(),
      /** `atMost` includes them. Null: no texts after the calls. */
      messages: z.nullable(
        z.object({
          atMost: z.number(),
          /** Of one call's messages, besides the call. */
          perCallAtMost: z.number(),
          /** If each call causes the most expensive messages that it can. */
          segments: z.number(),
          /** Landlines, operators that the sender ID is not approved for, texts that would be empty or too long. */
          unsendable: z.number(),
          /** Columns contain more than names and figures, which would need approval. */
          unapproved: z.number(),
        }),
      ),
      /** Null: messages have no price. */
      perSegment: z.nullable(z.number()),
      balance: z.number(),
      /** To dial everybody once under the present caps. Null while a cap of 0 lets nothing through. */
      seconds: z.nullable(z.number()),
      start: CampaignStart,
      /** By its start and the calling hours. Null when seconds or the start are, or when not everybody can be called before `dialUntil`. */
      doneAbout: z.nullable(z.string()),
      /** Unfinished rows then expire. */
      dialUntil: z.string(),
    }),
  ),
})
export type ContactPreview = z.output<typeof ContactPreview>

const SheetName = OneLine({ error: 'must be the name of a sheet' }).check(
  z.maxLength(nameMax, { error: `is longer than ${nameMax} characters` }),
)

export const contactColumnsMax = 100
const wrongColumns = 'must say the column of the number, whether the first row is a header, and names'
const ColumnName = z.pipe(
  z.optional(
    z.nullable(
      OneLine({ error: 'must be text' }).check(z.maxLength(nameMax, { error: `is longer than ${nameMax} characters` })),
    ),
  ),
  z.transform((name) => name?.trim() ?? ''),
)
/** As a person chose them. `number`: from 0; `names`: by position, '' keeps the file's name. */
const ColumnsInput = jsonOr(
  z.object(
    {
      number: wireInt(0, contactColumnsMax - 1),
      header: z.boolean({ error: 'must be true or false' }),
      names: z._default(z.array(ColumnName).check(z.maxLength(contactColumnsMax, { error: 'has too many names' })), []),
    },
    { error: wrongColumns },
  ),
)
export type ChosenColumns = z.output<typeof ColumnsInput>

/** `askColumns`: refuse the file with `which_column` when no column is named as the number. */
export const fileReading = {
  sheet: z.optional(SheetName),
  columns: z.optional(ColumnsInput),
  askColumns: z.optional(z.enum(['yes'], { error: "must be 'yes' or absent" })),
}

/** Unchanged, for the choice of sheet and columns. */
export const FileLook = z.object({
  /** With rows; empty for a text. */
  sheets: z.array(z.string()),
  sheet: z.nullable(z.string()),
  header: z.boolean(),
  /** The number's column; null when none is named so. */
  number: z.nullable(z.number()),
  first: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
})
export type FileLook = z.output<typeof FileLook>

export const TemplateIdInput = wireInt(0, templates.length - 1)

const StoredFile = z.object({
  baseId: z.number(),
  baseName: z.string(),
  username: z.string(),
  rows: z.number(),
  dialable: z.number(),
  /** 'mobile', then the others in the order of the file. */
  columns: z.array(z.string()),
  uploadedAt: z.string(),
  /** Removed then unless a campaign is made of it. Null: an unfinished campaign needs it. */
  keptUntil: z.nullable(z.string()),
  bytes: z.number(),
})

/** The console gets all files at once. */
export const contactFileFilters = { uploaded: dates, use: choice(['used', 'unused']) }

export const contactRoutes = {
  bases: json({
    method: 'GET',
    path: '/api/obd/base/:userId',
    input: UserIdInput,
    reply: z.array(StoredFile),
  }),
  /** What a campaign without spoken columns would make of it, and its latest campaigns. */
  detail: json({
    method: 'GET',
    path: '/api/obd/base/:baseId/detail',
    input: z.object({ baseId: Id }),
    reply: z.object({
      ...StoredFile.shape,
      preview: FilePreview,
      campaigns: z.array(
        z.object({
          kind: z.enum(['calls', 'messages']),
          campaignId: z.number(),
          campaignName: z.string(),
          campaignStatus: z.number(),
          createdTime: z.string(),
        }),
      ),
      campaignCount: z.number(),
    }),
  }),
  /** Byte by byte as it is stored. */
  download: file({ path: '/api/obd/base/:baseId/contacts.csv', input: z.object({ baseId: Id }) }),
  paste: upload({
    path: '/api/obd/contactlist',
    input: z.object({ userId: z.optional(Id) }),
    files: { contactList: { ...pastedNumbers, required: true } },
    reply: UploadedBase,
  }),
  baseUpload: upload({
    path: '/api/obd/baseupload',
    input: z.object({ userId: z.optional(Id), baseName: Name, ...fileReading }),
    files: {
      baseFile: { maxBytes: contactsMaxBytes, required: true },
      contactList: { ...pastedNumbers, required: false },
    },
    reply: UploadedBase,
  }),
  /** Dialable and not in the file yet. The first others are returned with reasons. */
  add: upload({
    path: '/api/obd/base/add',
    input: z.object({ baseId: Id, ...fileReading }),
    files: {
      baseFile: { maxBytes: contactsMaxBytes, required: false },
      contactList: { ...pastedNumbers, required: false },
    },
    reply: z.object({
      message: z.string(),
      rows: z.number(),
      dialable: z.number(),
      added: z.number(),
      duplicate: z.number(),
      invalid: z.number(),
      refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
    }),
  }),
  /** Stores nothing. */
  look: upload({
    path: '/api/obd/base/look',
    input: z.object({ sheet: z.optional(SheetName) }),
    files: { baseFile: { maxBytes: contactsMaxBytes, required: true } },
    reply: FileLook,
  }),
  rename: json({
    method: 'POST',
    path: '/api/obd/base/update',
    input: z.object({ baseId: Id, baseName: Name }),
    reply: Message,
  }),
  /** Refused while an unfinished campaign needs it. */
  delete: json({ method: 'DELETE', path: '/api/obd/base/:baseId', input: z.object({ baseId: Id }), reply: Message }),
  deleteMany: json({
    method: 'POST',
    path: '/api/obd/bases/delete',
    input: z.object({ baseIds: Ids }),
    reply: Outcomes,
  }),
  sample: file({
    path: '/reports/sample/:sampleName',
    input: z.object({
      sampleName: OneLine({ error: 'is not a sample' }).check(
        z.regex(/^sample_[a-z0-9_]+\.csv$/, { error: 'is not a sample' }),
      ),
    }),
  }),
  /** Rows that a campaign with this template (0 when absent) would refuse, with line and reason. */
  refusedFile: file({
    path: '/api/obd/base/:baseId/refused.csv',
    input: z.object({ baseId: Id, templateId: z.optional(TemplateIdInput) }),
  }),
}

const AgentCell = z.pipe(
  z.optional(
    z.nullable(
      z.union([WrittenNumber(), z.number()], {
        error: 'must be text',
      }),
    ),
  ),
  z.transform((value) => String(value ?? '')),
)
const AgentRow = z.object({ agentNumber: AgentCell, agentDtmf: AgentCell })
export const AgentRows = jsonOr(
  z.array(AgentRow).check(z.maxLength(11, { error: 'has more rows than there are keys' })),
)
