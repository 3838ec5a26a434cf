import * as z from 'zod/mini'
import { MoreNumbers } from './more-numbers.ts'
import { dateOrders } from './date-orders.ts'
import { choice, dates } from './filters.ts'
import { file, json, upload } from './route.ts'
import { templates } from './template-names.ts'
import { spokenNames } from './templates.ts'
import { Ids, Outcomes } from './bulk.ts'
import { jsonOr } from './bounded-json.ts'
import {
  Id,
  mebibyte,
  Message,
  Name,
  nameMax,
  OneLine,
  orRequired,
  UserIdInput,
  wireInt,
  WrittenNumber,
} from './values.ts'

export const contactsMaxBytes = 20 * mebibyte

/** How many refused rows the reply lists when rows are added to a file. */
export const addedRefusedMax = 1000

/** Pasted numbers may be as long as a file; their lines are checked one by one. */
const pastedNumbers = { maxBytes: contactsMaxBytes, orText: true } as const

/** Rows that are hidden in the sheet of an Excel file: those that were left out, and those that are among the rows. */
export const HiddenCounts = { hiddenLeft: z.number(), hiddenTaken: z.number() }
/** Columns with cells of question marks, � or à¤…: letters that the program which saved the file could not write, or did not read as what they were. */
const LostLetters = { lostLetters: z.array(z.string()) }
/** By the names of the columns whose dates can stand in either order. 'ask': nobody knows it yet, and what uses the column is refused. */
const ColumnOrders = z.record(z.string(), z.enum([...dateOrders, 'ask']))

const UploadedBase = z.object({
  message: z.string(),
  baseId: z.number(),
  rows: z.number(),
  dialable: z.number(),
  ...HiddenCounts,
  ...LostLetters,
  moreNumbers: MoreNumbers,
  dateOrders: ColumnOrders,
})

/** When the first call of a campaign would begin, as things are now. */
export const CampaignStart = z.object({
  /** Nepal time. Null: unknown, because the obstacle does not pass by itself, or lasts until the campaign is over. */
  at: z.nullable(z.string()),
  /** Nepal time at which the calling hours open, if they are closed at the campaign's time: a time to schedule it for. */
  opensAt: z.nullable(z.string()),
  /** Why it does not begin at its time, in the words that the campaign will show. Empty when nothing prevents it. */
  reasons: z.array(z.object({ cause: z.enum(['hours', 'stopped', 'line']), text: z.string() })),
})
export type CampaignStart = z.output<typeof CampaignStart>

/** `value`: '1250.00', 'Sharma and Sons', 'AB12', 'bs:8'. `leftOut`: the parts of the cell that nobody hears. */
const ReadValue = z.object({
  kind: z.enum(['amount', 'month', 'token', 'name', 'service']),
  value: z.string(),
  leftOut: z.array(z.string()),
})
export type ReadValue = z.output<typeof ReadValue>

/** What a file would give, before launch (docs/api.md#preview): `rows = accepted + blacklisted + invalid + duplicate`. */
const FilePreview = z.object({
  rows: z.number(),
  accepted: z.number(),
  blacklisted: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  columns: z.array(z.string()),
  ...LostLetters,
  moreNumbers: MoreNumbers,
  /** The first callable rows, with all their columns. It does not show which numbers are blacklisted. */
  first: z.array(
    z.object({
      line: z.number(),
      mobile: z.string(),
      values: z.record(z.string(), z.string()),
      /** Those of the values that are read as dates, as AD days. */
      dates: z.record(z.string(), z.string()),
      /** What a call would say of the values, by column, in the normal form of each kind; dates are not among it. */
      spoken: z.record(z.string(), ReadValue),
    }),
  ),
  refusedKept: z.number(),
  /** The first refused lines, each with its reason. `refusedFile` has more. */
  refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
  dateOrders: ColumnOrders,
})

export const ContactPreview = z.object({
  ...FilePreview.shape,
  /** The file's column that each column of the template is read from. */
  spokenFrom: z.record(z.string(), z.string()),
  /** Cost and duration of the longest and the shortest possible outcome. Null without a CLI or plan. */
  estimate: z.nullable(
    z.object({
      /** Rupees if everybody answered and listened to the end. */
      atMost: z.number(),
      /** Rupees that an agent's minute adds. Null except for call patch. */
      perAgentMinute: z.nullable(z.number()),
      oneCallAtMost: z.number(),
      /** Texts of ours after the calls, which `atMost` includes. Null: there are none. */
      messages: z.nullable(
        z.object({
          atMost: z.number(),
          /** The highest cost of one call's messages, besides the call. */
          perCallAtMost: z.number(),
          /** The cost of all messages, if each call causes the most expensive ones that it can. */
          segments: z.number(),
          /** Rows that do not get some text: landlines, operators that the sender ID is not approved for, texts that would be empty or too long. */
          unsendable: z.number(),
          /** Rows that do not get some text because their columns contain more than names and figures, which would need approval. */
          unapproved: z.number(),
        }),
      ),
      /** Rupees for one segment of a message. Null: messages have no price. */
      perSegment: z.nullable(z.number()),
      balance: z.number(),
      /** Seconds to dial everybody once under the present caps. Null while a cap of 0 lets nothing through. */
      seconds: z.nullable(z.number()),
      start: CampaignStart,
      /**
       * Nepal time when it is about done, given its start and the calling hours. Null when seconds or the start are, or when not everybody can
       * be called before `dialUntil`.
       */
      doneAbout: z.nullable(z.string()),
      /** Nepal time after which nothing is dialled and unfinished rows expire. */
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
const HeaderCell = OneLine({ error: 'must be text' }).check(
  z.maxLength(nameMax, { error: `is longer than ${nameMax} characters` }),
)
const ColumnName = z.pipe(
  z.optional(z.nullable(HeaderCell)),
  z.transform((name) => name?.trim() ?? ''),
)
/**
 * The columns of a file as a person chose them. `number`: the position of the number's column, from 0; `header`: a row names the columns, which is the
 * one in `headerLine` or else the first; the rows above it are left out. `names`: by position, '' keeps the file's name.
 */
const ColumnsInput = jsonOr(
  z.object(
    {
      number: wireInt(0, contactColumnsMax - 1),
      header: z.boolean({ error: 'must be true or false' }),
      headerLine: z.optional(wireInt(1, 10_000_000)),
      names: z._default(z.array(ColumnName).check(z.maxLength(contactColumnsMax, { error: 'has too many names' })), []),
    },
    { error: wrongColumns },
  ),
)
export type ChosenColumns = z.output<typeof ColumnsInput>

const SpokenFromInput = jsonOr(
  z.partialRecord(
    z.enum(spokenNames, { error: 'is not a column of a template' }),
    ColumnName,
    orRequired("must say which of the file's columns a template's columns are"),
  ),
)

/** In which order the dates of columns are written, by the names that the stored columns have. */
const DateOrdersInput = jsonOr(
  z.record(HeaderCell, z.enum(dateOrders, { error: "must be 'dmy' or 'mdy' for each column" }), {
    error: "must say 'dmy' or 'mdy' for each column",
  }),
)

/** What people typed instead of the numbers of single rows, by the lines that refusals and checks name. */
const NumbersInput = jsonOr(
  z
    .array(z.object({ line: wireInt(1, 10_000_000), number: WrittenNumber() }), {
      error: 'must be a list of lines with their numbers',
    })
    .check(z.maxLength(1000, { error: 'has more than 1,000 numbers' })),
)
export type TypedNumbers = z.output<typeof NumbersInput>

/** How a file is read. `numbers`: they replace those of the file before anything is stored. `askColumns`: refuse it, with the code `which_column`, when neither cells nor names say which column is the number. */
export const listReading = {
  sheet: z.optional(SheetName),
  columns: z.optional(ColumnsInput),
  numbers: z.optional(NumbersInput),
  askColumns: z.optional(z.enum(['yes'], { error: "must be 'yes' or absent" })),
}
/** Rows that are hidden in the sheet, by a filter or by hand. Absent: left out, and refused with the code `hidden_rows` where `askColumns` is sent. */
export const HiddenRows = z.enum(['take', 'leave'], { error: "must be 'take' or 'leave'" })
export type HiddenRows = z.output<typeof HiddenRows>
const fileReading = { ...listReading, hiddenRows: z.optional(HiddenRows) }

/** What storing the file would give. `good`: rows whose number would be called; each of the others is counted, and the first ones listed. */
const CheckedFile = z.object({
  /** The position of the column that was read as the number. */
  number: z.number(),
  rows: z.number(),
  good: z.number(),
  /** `number`: as it is written, where it is the number that is wrong; else null. */
  refused: z.array(
    z.object({ line: z.number(), text: z.string(), number: z.nullable(z.string()), reason: z.string() }),
  ),
})
export type CheckedFile = z.output<typeof CheckedFile>

/** The first rows of a file, unchanged, for the choice of sheet and columns. */
export const FileLook = z.object({
  /** The sheets of an Excel file that have rows; empty for a text. */
  sheets: z.array(z.string()),
  sheet: z.nullable(z.string()),
  header: z.boolean(),
  /** The position of the number's column; null when neither cells nor names say which one it is. */
  number: z.nullable(z.number()),
  /** Of the row that names the columns; null when none does. */
  headerLine: z.nullable(z.number()),
  /** The names of the columns that it may be where several have as many numbers; else empty. */
  close: z.array(z.string()),
  /** How many rows are hidden in the sheet; they are not among the first ones. */
  hiddenRows: z.number(),
  /** By the names that the columns have when the file is stored as it was found. */
  dateOrders: ColumnOrders,
  first: z.array(z.object({ line: z.number(), cells: z.array(z.string()) })),
  /** Null unless it was asked for. */
  checked: z.nullable(CheckedFile),
})
export type FileLook = z.output<typeof FileLook>

export const TemplateIdInput = wireInt(0, templates.length - 1)

const StoredFile = z.object({
  baseId: z.number(),
  baseName: z.string(),
  username: z.string(),
  rows: z.number(),
  dialable: z.number(),
  /** 'mobile', then the other columns in the order of the file. */
  columns: z.array(z.string()),
  /** Null: the file was stored before this was counted. */
  moreNumbers: z.nullable(MoreNumbers),
  uploadedAt: z.string(),
  /** Nepal time after which the file is removed unless a campaign is made of it. Null: an unfinished campaign needs it. */
  keptUntil: z.nullable(z.string()),
  bytes: z.number(),
})

/** How the console filters the stored files, which it gets all at once. */
export const contactFileFilters = { uploaded: dates, use: choice(['used', 'unused']) }

export const contactRoutes = {
  bases: json({
    method: 'GET',
    path: '/api/obd/base/:userId',
    input: UserIdInput,
    reply: z.array(StoredFile),
  }),
  /** One of the viewer's own files: what a campaign without spoken columns would make of it, and its latest campaigns. */
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
  /** The viewer's own file, byte by byte as it is stored. */
  download: file({ path: '/api/obd/base/:baseId/contacts.csv', input: z.object({ baseId: Id }) }),
  paste: upload({
    path: '/api/obd/contactlist',
    input: z.object({ userId: z.optional(Id) }),
    files: { contactList: { ...pastedNumbers, required: true } },
    reply: UploadedBase,
  }),
  baseUpload: upload({
    path: '/api/obd/baseupload',
    input: z.object({
      userId: z.optional(Id),
      baseName: Name,
      dateOrders: z.optional(DateOrdersInput),
      ...fileReading,
    }),
    files: {
      baseFile: { maxBytes: contactsMaxBytes, required: true },
      contactList: { ...pastedNumbers, required: false },
    },
    reply: UploadedBase,
  }),
  /** Adds dialable rows that are not in the file yet. The others are counted, and the first ones returned with reasons. */
  add: upload({
    path: '/api/obd/base/add',
    input: z.object({ baseId: Id, dateOrders: z.optional(DateOrdersInput), ...fileReading }),
    files: {
      baseFile: { maxBytes: contactsMaxBytes, required: false },
      contactList: { ...pastedNumbers, required: false },
    },
    reply: z.object({
      message: z.string(),
      rows: z.number(),
      dialable: z.number(),
      dateOrders: ColumnOrders,
      added: z.number(),
      duplicate: z.number(),
      invalid: z.number(),
      ...HiddenCounts,
      /** Of the whole file. */
      moreNumbers: z.nullable(MoreNumbers),
      refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
    }),
  }),
  /** Stores nothing. `check`: the whole file is read as well, with the columns and numbers that are sent, or else as it was found. */
  look: upload({
    path: '/api/obd/base/look',
    input: z.object({
      sheet: z.optional(SheetName),
      check: z.optional(z.enum(['yes'], { error: "must be 'yes' or absent" })),
      columns: z.optional(ColumnsInput),
      numbers: z.optional(NumbersInput),
      hiddenRows: z.optional(HiddenRows),
    }),
    files: { baseFile: { maxBytes: contactsMaxBytes, required: true } },
    reply: FileLook,
  }),
  /** From which columns of the caller's file the templates' columns are read, besides those that were said before. */
  columns: json({
    method: 'POST',
    path: '/api/obd/base/columns',
    input: z.object({ baseId: Id, columns: SpokenFromInput }),
    reply: Message,
  }),
  /** What is left out stays as it is. */
  update: json({
    method: 'POST',
    path: '/api/obd/base/update',
    input: z.object({ baseId: Id, baseName: z.optional(Name), dateOrders: z.optional(DateOrdersInput) }),
    reply: Message,
  }),
  /** Refused while an unfinished campaign needs it, which the refusal names. */
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
  /** CSV of the first rows of a base that a campaign with this template (0 when absent) would refuse, with line and reason. */
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
