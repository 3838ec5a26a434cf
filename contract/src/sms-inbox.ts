import * as z from 'zod/mini'
import { account, choices, dates, text } from './filters.ts'
import { list, type RowOf } from './route.ts'
import { segmentsOf, smsSegmentsMax } from './sms-text.ts'
import { orRequired, Paragraph, Text, UserIdInput, wireInt } from './values.ts'

export const InboxDays = wireInt(1, 3650)

const wordsMax = 100

/** Normalises a text to compare it with keywords: no case, punctuation, invisible marks or repeated spaces. */
export function plainWords(said: string): string {
  return said
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

const Word = Text(50).check(z.refine((word) => plainWords(word) !== '', { error: 'has neither letters nor digits' }))
const Words = z
  .array(Word, orRequired('must be a list of words'))
  .check(z.maxLength(wordsMax, { error: `has more than ${wordsMax} words` }))
const Answer = Paragraph(1000).check(
  z.refine((said) => segmentsOf(said) <= smsSegmentsMax, { error: `has more than ${smsSegmentsMax} segments` }),
)
const isTrue = () => z.boolean(orRequired('must be true or false'))

const OptOutFields = z.object({
  stopWords: Words.check(z.minLength(1, { error: 'is required' })),
  startWords: Words,
  helpWords: Words,
  /** Whether to confirm an opt-out with `confirmText`. */
  confirm: isTrue(),
  confirmText: Answer,
  /** Whether to answer a HELP word with `helpText`. */
  help: isTrue(),
  helpText: Answer,
})
type Lists = Pick<z.output<typeof OptOutFields>, 'stopWords' | 'startWords' | 'helpWords'>

export const OptOut = OptOutFields.check(
  z.refine((lists) => ambiguousWord(lists) === undefined, {
    path: ['stopWords'],
    error: ({ input }) => `'${ambiguousWord(input as Lists)}' stands in two lists`,
  }),
)
export type OptOut = z.output<typeof OptOutFields>

/** A word in two lists; undefined when there is none. */
function ambiguousWord({ stopWords, startWords, helpWords }: Lists): string | undefined {
  const meant = new Map<string, readonly string[]>()
  for (const words of [stopWords, startWords, helpWords])
    for (const word of words) {
      const before = meant.get(plainWords(word))
      if (before !== undefined && before !== words) return word
      meant.set(plainWords(word), words)
    }
  return undefined
}

export const optOutDefault: OptOut = {
  stopWords: [
    'STOP',
    'STOPALL',
    'UNSUBSCRIBE',
    'OPTOUT',
    'QUIT',
    'BAND',
    'BANDA',
    'RADDA',
    'ROKA',
    'बन्द',
    'बन्द गर',
    'रद्द',
    'रोक',
  ],
  startWords: ['START', 'UNSTOP', 'SURU', 'सुरु', 'शुरु'],
  helpWords: ['HELP', 'INFO', 'MADDAT', 'SAHAYOG', 'मद्दत', 'सहयोग'],
  confirm: true,
  confirmText: 'अब यहाँबाट सन्देश आउँदैन। फेरि पाउन START लेख्नुहोस्।',
  help: true,
  helpText: 'STOP ends messages from here, START brings them back. बन्द गर्न STOP, फेरि पाउन START लेख्नुहोस्।',
}

/** What was done about a message. `waiting`: not looked at yet; `kept`: it asks for nothing. */
const inboxActions = ['waiting', 'kept', 'optOut', 'alreadyOut', 'optIn', 'notOut', 'help'] as const
export type InboxAction = (typeof inboxActions)[number]

const InboxRow = z.object({
  inboxId: z.number(),
  /** National digits of a Nepali number; otherwise the sender as the gateway named it. */
  msisdn: z.string(),
  /** The short code, number or sender ID it was sent to; '' when the gateway does not say. */
  to: z.string(),
  smsText: z.string(),
  /** Nepal time. */
  receivedTime: z.string(),
  /** The campaign whose message the number got before; null when none is known. */
  campaignId: z.nullable(z.number()),
  campaignName: z.nullable(z.string()),
  action: z.enum(inboxActions),
  /** The owner's name; null when no account had written to the number. */
  username: z.nullable(z.string()),
})

export const smsInboxRoutes = {
  /** The caller's own id shows all that the role may read, a descendant's that account's. `campaign`: its id, or part of its name. */
  list: list({
    path: '/app/sms/inbox/:userId',
    input: UserIdInput,
    filters: { action: choices(inboxActions), received: dates, campaign: text, customer: account },
    row: InboxRow,
    sort: ['-inboxId'],
  }),
}
export type InboxRow = RowOf<typeof smsInboxRoutes.list>
