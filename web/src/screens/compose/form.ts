import type * as z from 'zod/mini'
import type { Form } from '../../components/form/field.ts'
import { blankOf, namesOf, schemaOf, type ValuesOf } from '../../components/form/field-list.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { fields, type ComposeField, type FieldName } from './fields.ts'
import type { StepName } from './steps/steps.ts'

export type { Base } from './fields.ts'
export type ComposeForm = ValuesOf<typeof fields>
export type FormOfCompose = Form<ComposeForm>

/** Drafts are parsed with it. */
export const ComposeForm = schemaOf(fields)
export const blankForm: ComposeForm = blankOf(fields)

export const fieldNames: readonly FieldName[] = namesOf(fields)
export const fieldOf = (name: FieldName): ComposeField => fields[name]

/** The step that has a field, or the part of one: 'smsDtmfTexts.1'. */
export function stepOfField(path: string): StepName {
  const name = fieldNames.find((known) => known === path || path.startsWith(`${known}.`))
  return name === undefined ? 'what' : fieldOf(name).step
}

/** By form name, in the form's order. */
export function labelsOfFields(t: TextsOf<'compose'>): Record<string, string> {
  return Object.fromEntries(fieldNames.map((name) => [name, fieldOf(name).label(t)]))
}

/** What the values of these fields must be. */
export function limitsOf(names: readonly FieldName[]): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    names.flatMap((name): [string, z.ZodMiniType][] => {
      const { limits } = fieldOf(name)
      return limits ? [[name, limits]] : []
    }),
  )
}

const secrets = Object.fromEntries(fieldNames.filter((name) => fieldOf(name).isSecret).map((name) => [name, '']))

/** Credentials must be typed again. */
export function withoutSecrets(form: ComposeForm): ComposeForm {
  return { ...form, ...secrets }
}

/** A request's fields less those of the form for which `isOut` is true. */
export function without<Body extends object>(body: Body, isOut: (field: ComposeField) => boolean): Partial<Body> {
  const out = new Set(fieldNames.filter((name) => isOut(fieldOf(name))).map((name) => fieldOf(name).wire ?? name))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !out.has(name))) as Partial<Body>
}

/** A chosen file is in no draft, because the browser grants it only for now, and its name goes with it. An uploaded one stays, with its name. */
export function withoutFile(form: ComposeForm): ComposeForm {
  if (form.uploadedBase !== null) return { ...form, file: null }
  const baseName = form.baseName === form.fileGaveName ? '' : form.baseName
  return { ...form, file: null, baseName, fileGaveName: '' }
}

/** Null while the form has no stored contact file. */
export function baseIdOf(form: ComposeForm): number | null {
  if (form.contactsFrom === 'paste') return form.pastedBase?.baseId ?? null
  if (form.contactsFrom === 'upload') return form.uploadedBase?.baseId ?? null
  return form.storedBase === null ? null : Number(form.storedBase)
}
