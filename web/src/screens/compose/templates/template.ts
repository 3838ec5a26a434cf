import type { TemplateId } from '@ghanti/contract/template-names.ts'
import type { composeRoutes } from '@ghanti/contract/compose.ts'
import type { ComponentType } from 'react'
import type { SentOf } from '../../../api/client.ts'
import type { TextsOf } from '../../../i18n/areas.ts'
import type { FieldName } from '../fields.ts'
import type { ComposeForm, FormOfCompose } from '../form.ts'
import type { Played } from './menu.ts'

export type ComposeBody = SentOf<typeof composeRoutes.compose>
export type FieldsProps = { form: FormOfCompose }

type CardWords = { label: string; does: string }

/** A template in the form: its card, fields, validation and request. A new one is a file like simple-ivr.ts and a line in table.ts. */
export type ComposeTemplate = {
  /** The card's id (specification 1 §2). */
  id: number
  /** The template whose drawing and words the card has, where several share a card. */
  shows: TemplateId
  /** What the card is called and what the call does; in Nepali: web/src/i18n/ne/template-types.ts. */
  english: CardWords
  /** The sent id (specification 1 §9); null until it is determined. */
  sentId: (form: Pick<ComposeForm, 'templateName'>) => TemplateId | null
  Fields: ComponentType<FieldsProps>
  /** Names the sample of its contact file: 'sample_contacts.csv'. */
  sample: (form: Pick<ComposeForm, 'templateName'>) => string
  /** The fields that must have a value within their limits. Depends on the form because checkboxes make fields required. */
  needs: (form: ComposeForm) => readonly FieldName[]
  /** What else is wrong, by field. */
  faults?: (form: ComposeForm) => Record<string, string>
  body: (form: ComposeForm) => Partial<ComposeBody>
  plays: (form: ComposeForm) => Played[]
  /** The keys that a contact may press; null for a template without keys, which cannot send an SMS on DTMF. */
  keys: (form: ComposeForm) => string[] | null
  /** A menu's waiting time and repetitions, where the form does not ask for them. */
  menu?: Pick<ComposeForm, 'menuWait' | 'rePrompts'>
}

export function cardWords({ shows, english }: ComposeTemplate, t: TextsOf<'compose'>): CardWords {
  return t.cards?.[shows] ?? english
}
