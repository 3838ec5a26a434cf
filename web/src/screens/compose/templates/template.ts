import type { TemplateId } from '@ghanti/contract/templates.ts'
import type { composeRoutes } from '@ghanti/contract/compose.ts'
import type { ComponentType } from 'react'
import type * as z from 'zod/mini'
import type { SentOf } from '../../../api/client.ts'
import type { ComposeForm, FormOfCompose } from '../form.ts'
import type { Played } from './menu.ts'

export type ComposeBody = SentOf<typeof composeRoutes.compose>
export type FieldsProps = { form: FormOfCompose }

/** A new one is a file like simple-ivr.ts and a line in table.ts. */
export type ComposeTemplate = {
  /** Of the card (specification 1 §2). */
  id: number
  /** Specification 1 §9; null until it is determined. */
  sentId: (form: Pick<ComposeForm, 'templateName'>) => TemplateId | null
  Fields: ComponentType<FieldsProps>
  /** Checkboxes make fields required. */
  schema: (form: ComposeForm) => Record<string, z.ZodMiniType>
  body: (form: ComposeForm) => Partial<ComposeBody>
  plays: (form: ComposeForm) => Played[]
  /** Null: no keys, so no SMS on DTMF. */
  keys: (form: ComposeForm) => string[] | null
  /** Where the form does not ask for them. */
  menu?: Pick<ComposeForm, 'menuWait' | 'rePrompts'>
}
