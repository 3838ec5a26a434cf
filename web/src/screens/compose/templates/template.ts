import type { TemplateId } from '@ghanti/contract/template-names.ts'
import type { composeRoutes } from '@ghanti/contract/compose.ts'
import type { ComponentType } from 'react'
import type * as z from 'zod/mini'
import type { SentOf } from '../../../api/client.ts'
import type { ComposeForm, FormOfCompose } from '../form.ts'
import type { Played } from './menu.ts'

export type ComposeBody = SentOf<typeof composeRoutes.compose>
export type FieldsProps = { form: FormOfCompose }

/** A template in the form: its card, fields, validation and request. A new one is a file like simple-ivr.ts and a line in table.ts. */
export type ComposeTemplate = {
  /** The card's id (specification 1 §2). */
  id: number
  /** The sent id (specification 1 §9); null until it is determined. */
  sentId: (form: Pick<ComposeForm, 'templateName'>) => TemplateId | null
  Fields: ComponentType<FieldsProps>
  /** By form field. Depends on the form because checkboxes make fields required. */
  schema: (form: ComposeForm) => Record<string, z.ZodMiniType>
  body: (form: ComposeForm) => Partial<ComposeBody>
  plays: (form: ComposeForm) => Played[]
  /** The keys that a contact may press; null for a template without keys, which cannot send an SMS on DTMF. */
  keys: (form: ComposeForm) => string[] | null
  /** A menu's waiting time and repetitions, where the form does not ask for them. */
  menu?: Pick<ComposeForm, 'menuWait' | 'rePrompts'>
}
