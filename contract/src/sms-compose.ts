import * as z from 'zod/mini'
import { contactRoutes, contactsMaxBytes, HiddenRows } from './contacts.ts'
import { MoreNumbers } from './more-numbers.ts'
import { json, upload } from './route.ts'
import { segmentsOf, smsSegmentsMax } from './sms-text.ts'
import {
  EndOrNone,
  Id,
  Message,
  Name,
  NepalTime,
  OneLine,
  orRequired,
  mebibyte,
  severalLines,
  textMax,
  wireInt,
} from './values.ts'

const Reason = z.nullable(z.string())

/** Not trimmed, because blanks are sent too, but it must contain something. */
export const SmsText = z.string(orRequired('must be text')).check(
  z.overwrite((text) => text.replaceAll('\r\n', '\n')),
  severalLines,
  z.refine((text) => text.trim() !== '', { error: 'is required', abort: true }),
  z.maxLength(textMax, { error: `is longer than ${textMax.toLocaleString('en')} characters`, abort: true }),
  z.refine((text) => segmentsOf(text) <= smsSegmentsMax, {
    error: ({ input }) => `has ${segmentsOf(String(input))} segments, and ${smsSegmentsMax} are allowed`,
  }),
)

/** 0: the same text to everybody; 1: with {column}s of the file. */
const SmsTemplateId = wireInt(0, 1)

/** Either `baseId` or `contactList` (one number per line or separated by commas). Longer lists are stored first with contacts.paste. */
const SmsCampaignInput = z.object({
  userId: z.optional(Id),
  campaignName: Name,
  templateId: SmsTemplateId,
  baseId: z.optional(Id),
  contactList: z.optional(z.string({ error: 'must be text' }).check(severalLines, z.maxLength(mebibyte))),
  scheduleTime: z.optional(NepalTime),
  /** No message leaves after this, and the campaign ends. Left out: the platform's last day for it. */
  notAfter: z.optional(NepalTime),
  cli: OneLine(orRequired('must be text')).check(z.maxLength(20, { error: 'is longer than 20 characters' })),
  smsText: SmsText,
})
export type SmsCampaignInput = z.output<typeof SmsCampaignInput>

/** What the owner changes of a campaign of messages that has not begun. Left out: it stays as it is. */
const SmsEditInput = z.object({
  campaignId: Id,
  campaignName: z.optional(Name),
  scheduleTime: z.optional(NepalTime),
  notAfter: z.optional(EndOrNone),
})
export type SmsEditInput = z.output<typeof SmsEditInput>

/** The fields that are filled in so far, with a stored file; without `row`, the first row that gets a message. */
const SmsPreviewInput = z.object({
  ...z.partial(z.omit(SmsCampaignInput, { baseId: true, contactList: true })).shape,
  baseId: Id,
  row: z.optional(wireInt(1, 100_000_000)),
})
export type SmsPreviewInput = z.output<typeof SmsPreviewInput>

/** `rows = accepted + blacklisted + unreachable + invalid + duplicate + unapproved`. */
export const SmsPreview = z.object({
  rows: z.number(),
  accepted: z.number(),
  blacklisted: z.number(),
  /** Landlines, which take no messages. */
  unreachable: z.number(),
  invalid: z.number(),
  duplicate: z.number(),
  /** Rows whose values need a super admin's approval. */
  unapproved: z.number(),
  columns: z.array(z.string()),
  moreNumbers: MoreNumbers,
  refused: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })),
  /** The preview row and the lines on which its neighbours start; null when no row gets a message. */
  shown: z.nullable(
    z.object({
      line: z.number(),
      mobile: z.string(),
      reason: Reason,
      previous: z.nullable(z.number()),
      next: z.nullable(z.number()),
    }),
  ),
  /** Null without a text, or when the row gets none. */
  text: z.nullable(z.string()),
  encoding: z.nullable(z.enum(['GSM-7', 'UCS-2'])),
  unicodeSign: z.nullable(z.string()),
  segments: z.nullable(z.number()),
  /** Null without a text or a plan. */
  estimate: z.nullable(
    z.object({
      /** Of all messages, exact. */
      segments: z.number(),
      /** Rupees. */
      cost: z.number(),
      perSegment: z.number(),
      balance: z.number(),
      /** Nepal time of the first message within the permitted hours; null: no such day within a year. */
      beginsAt: z.nullable(z.string()),
      /** `beginsAt` is later than the composed time, because nobody may be sent a message then. */
      outsideHours: z.boolean(),
      /** Nepal time of the last message if nobody else sends; null: not before `sendUntil`, or nothing carries them now. */
      endsAt: z.nullable(z.string()),
      /** The most segments per second that gateways and sender ID allow. */
      perSecond: z.number(),
      /** Nepal time after which nothing is sent. */
      sendUntil: z.string(),
    }),
  ),
})
export type SmsPreview = z.output<typeof SmsPreview>

/** The kind of an upload, in short or as media type. The content decides. */
const fileTypes = ['csv', 'txt', 'text/csv', 'text/plain'] as const

export const smsComposeRoutes = {
  /** The same contact files as for calls. */
  bases: json({ ...contactRoutes.bases, path: '/app/sms/base/:userId' }),
  /** Keeps an upload for an hour, until `baseUpload` names it. */
  stageFile: upload({
    path: '/fileupload.php',
    input: z.object({ userId: z.optional(Id), fileType: z.optional(z.enum(fileTypes)) }),
    files: { smsBaseFile: { maxBytes: contactsMaxBytes, required: true } },
    reply: z.object({ message: z.string(), uploaded: z.boolean(), file_name: z.string() }),
  }),
  /** Without `file_name`: the account's latest upload. */
  baseUpload: json({
    method: 'POST',
    path: '/app/sms/baseupload',
    input: z.object({
      userId: z.optional(Id),
      baseName: Name,
      file_name: z.optional(
        OneLine({ error: 'must be text' }).check(
          z.regex(/^[\da-f-]{36}$/, { error: 'is not a file that was uploaded' }),
        ),
      ),
      hiddenRows: z.optional(HiddenRows),
    }),
    reply: contactRoutes.baseUpload.reply,
  }),
  create: json({
    method: 'POST',
    path: '/app/sms/campaign',
    input: SmsCampaignInput,
    reply: z.object({ message: z.string(), campaignId: z.number() }),
  }),
  edit: json({ method: 'POST', path: '/app/sms/campaign/edit', input: SmsEditInput, reply: Message }),
  preview: json({ method: 'POST', path: '/app/sms/campaign/preview', input: SmsPreviewInput, reply: SmsPreview }),
}
