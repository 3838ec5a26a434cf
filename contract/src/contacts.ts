import * as z from 'zod/mini'
import { choice, dates } from './filters.ts'
import { file, json, upload } from './route.ts'
import { templates } from './templates.ts'
import { Ids, Outcomes } from './several.ts'
import { Id, jsonOr, mebibyte, Message, Name, OneLine, UserIdInput, wireInt, WrittenNumber } from './values.ts'

export const contactsMaxBytes = 20 * mebibyte

/** Of the lines that are refused for what they are, and of those refused for what a template needs, the first so many are kept; all are counted. */
export const refusedKeptMax = 10_000

/** Pasted numbers may be as long as a file; their lines are judged one by one. */
const pastedNumbers = { maxBytes: contactsMaxBytes, orText: true } as const

/** `dialable`: how many of the rows have a number that can be called. */
const UploadedBase = z.object({ message: z.string(), baseId: z.number(), rows: z.number(), dialable: z.number() })

/** When the first call of a campaign begins, as things are now. */
export const CampaignStart = z.object({
  /** Nepal time; null: nobody knows, since what is in the way does not pass by itself, or lasts until the campaign is over. */
  at: z.nullable(z.string()),
  /** Nepal time when the calling hours open, if they are closed at the campaign's time: what it can be scheduled for. */
  opensAt: z.nullable(z.string()),
  /** Why not at its time, as the campaign will say itself; empty: nothing is in the way. */
  reasons: z.array(z.object({ cause: z.enum(['hours', 'stopped', 'line']), text: z.string() })),
})
export type CampaignStart = z.output<typeof CampaignStart>

/** What a file would give, before launch (docs/api.md#preview): `rows = accepted + blacklisted + invalid + duplicate`. */
export const ContactPreview = z.object({
  rows: z.number(),
  accepted: z.number(),
  blacklisted: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  columns: z.array(z.string()),
  /** The first rows that can be called, with all their columns, on a blacklist or not: whose numbers are is not told. */
  first: z.array(z.object({ line: z.number(), mobile: z.string(), values: z.record(z.string(), z.string()) })),
  /** How many of the refused lines `refusedFile` has. */
  refusedKept: z.number(),
  /** The first refused lines with the reason of each; more of them: `refusedFile`. */
  refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
  /** What the longest and the shortest possible outcome would cost and last; null without a CLI or plan. */
  estimate: z.nullable(
    z.object({
      /** Rupees if every number answered and listened to the end. */
      atMost: z.number(),
      /** Rupees an agent's minute adds; null but for call patch. */
      perAgentMinute: z.nullable(z.number()),
      oneCallAtMost: z.number(),
      /** Messages of our own text after the calls, within `atMost`; null without such texts. */
      messages: z.nullable(
        z.object({
          atMost: z.number(),
          /** What the messages of one call cost at most, beside the call. */
          perCallAtMost: z.number(),
          /** Of all messages together, where each call brings about the dearest it may. */
          segments: z.number(),
          /** Rows that get none of some text: landlines, operators that the sender ID is not approved for, texts that would be empty or too long. */
          unsendable: z.number(),
          /** Rows that get none of some text, since their columns put more into it than names and figures, which would have to be approved. */
          unapproved: z.number(),
        }),
      ),
      /** Rupees of one segment of a message; null without a price of messages. */
      perSegment: z.nullable(z.number()),
      balance: z.number(),
      /** Seconds to dial everybody once under the caps that hold now; null while a cap of 0 lets nothing through. */
      seconds: z.nullable(z.number()),
      start: CampaignStart,
      /** Nepal time when about done, given the start and the calling hours; null like seconds and the start, or when not everybody can be called before `dialUntil`. */
      doneAbout: z.nullable(z.string()),
      /** Nepal time after which nothing is dialled any more; rows that are not final then expire. */
      dialUntil: z.string(),
    }),
  ),
})
export type ContactPreview = z.output<typeof ContactPreview>

export const TemplateIdInput = wireInt(0, templates.length - 1)

/** How the console narrows down the stored files, which come all at once. */
export const contactFileFilters = { uploaded: dates, use: choice(['used', 'unused']) }

export const contactRoutes = {
  bases: json({
    method: 'GET',
    path: '/api/obd/base/:userId',
    input: UserIdInput,
    reply: z.array(
      z.object({
        baseId: z.number(),
        baseName: z.string(),
        username: z.string(),
        rows: z.number(),
        dialable: z.number(),
        /** 'mobile', then the others in the order of the file. */
        columns: z.array(z.string()),
        uploadedAt: z.string(),
        /** Nepal time after which it goes unless a campaign is made of it; null: a campaign that is not finished needs it. */
        keptUntil: z.nullable(z.string()),
        bytes: z.number(),
      }),
    ),
  }),
  paste: upload({
    path: '/api/obd/contactlist',
    input: z.object({ userId: z.optional(Id) }),
    files: { contactList: { ...pastedNumbers, required: true } },
    reply: UploadedBase,
  }),
  baseUpload: upload({
    path: '/api/obd/baseupload',
    input: z.object({ userId: z.optional(Id), baseName: Name }),
    files: {
      baseFile: { maxBytes: contactsMaxBytes, required: true },
      contactList: { ...pastedNumbers, required: false },
    },
    reply: UploadedBase,
  }),
  rename: json({
    method: 'POST',
    path: '/api/obd/base/update',
    input: z.object({ baseId: Id, baseName: Name }),
    reply: Message,
  }),
  /** Refused while a campaign that is not finished needs it, naming it. */
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
  /** CSV of the first rows of a base that a campaign of this template (0 when absent) would refuse, with line and reason. */
  refusedFile: file({
    path: '/api/obd/base/:baseId/refused.csv',
    input: z.object({ baseId: Id, templateId: z.optional(TemplateIdInput) }),
  }),
}

/** What was not entered is ''. */
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
