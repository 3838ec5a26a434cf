import type { SmsCampaignSummary } from '@ghanti/contract/sms-campaigns.ts'
import * as z from 'zod/mini'
import { blankForm, type ComposeForm } from '../../compose/form.ts'
import { problemOfText } from './text-problem.ts'

/** 0: the same text to everybody; 1: personalised. */
export type MessageText = { templateId: 0 | 1; text: string }

/** The error, as on the wire, or null. A personalised text needs the columns; null: not known yet. */
export function textProblem({ templateId, text }: MessageText, columns: readonly string[] | null): string | null {
  return problemOfText(text, templateId === 1 ? columns : null)
}

/** 'U+2019' */
export function codeOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** The initial form; it uses only those fields of the calls' form that messages have too. */
export type Start = { form: ComposeForm; message: MessageText }
export const blankStart: Start = { form: blankForm, message: { templateId: 0, text: '' } }

/** With a contact file chosen. */
export function startWith(baseId: number): Start {
  return { ...blankStart, form: { ...blankForm, contactsFrom: 'stored', storedBase: String(baseId) } }
}

const Composed = z.object({
  templateId: z.catch(z.union([z.literal(0), z.literal(1)]), 0),
  cli: z.catch(z.nullable(z.string()), null),
  baseId: z.catch(z.nullable(z.number()), null),
  smsText: z.catch(z.string(), ''),
})

export function startOfCopy({ composed }: SmsCampaignSummary): Start {
  const { templateId, cli, baseId, smsText } = Composed.parse(composed)
  return {
    form: { ...blankForm, cli, contactsFrom: 'stored', storedBase: baseId === null ? null : String(baseId) },
    message: { templateId, text: smsText },
  }
}
