import { ownValue } from '@ghanti/contract/own-values.ts'

type Looks = {
  /** Its name in requests and replies, where it differs: 'receipt.id' is the `id` of `receipt`. */
  wire?: string
  required?: true
  maxLength?: number
  inputMode?: 'tel' | 'numeric' | 'url'
}

/**
 * A field of a form that is a list: how it is typed, shown and sent. 'text' and 'whole' are sent when blank, 'optional', 'area' and 'number' are
 * not; 'digits', 'list' (by blanks or commas), 'commas' and 'clis' are typed freely. A 'secret' is never filled in, and kept when blank.
 */
export type TypedField = Looks &
  (
    | {
        kind: 'text' | 'optional' | 'area' | 'number' | 'whole' | 'secret' | 'digits' | 'list' | 'commas' | 'clis'
        blank?: string
      }
    | { kind: 'flag'; blank?: boolean }
    /** Without options it has a picker of its own. */
    | { kind: 'choice'; options?: readonly string[]; blank?: string }
    | { kind: 'several'; options: readonly string[]; blank: readonly string[] }
  )
type Fields = Readonly<Record<string, TypedField>>

type ValueOf<Field> = Field extends { kind: 'flag' }
  ? boolean
  : Field extends { kind: 'choice' }
    ? string | null
    : Field extends { kind: 'several' }
      ? string[]
      : string
/** What the form holds. Numbers and lists are kept as typed. */
export type TypedValues<List extends Fields> = { [Name in keyof List & string]: ValueOf<List[Name]> }
type Value = boolean | string | string[] | null

function typed(field: TypedField, value: unknown): Value {
  if (field.kind === 'flag') return value === true
  if (field.kind === 'several') return Array.isArray(value) ? value.map(String) : []
  const isNone = value === null || value === undefined
  if (field.kind === 'choice') return isNone ? (field.blank ?? null) : String(value)
  if (field.kind === 'secret' || isNone) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

const wireOf = (name: string, { wire }: TypedField): string => wire ?? name

/** Undefined: nothing is there. */
function at(from: object, wire: string): unknown {
  const [name = '', inner] = wire.split('.')
  const value = ownValue({ ...from } as Readonly<Record<string, unknown>>, name)
  if (inner === undefined) return value
  return typeof value === 'object' && value !== null ? at(value, inner) : undefined
}

export function blankValues<List extends Fields>(fields: List): TypedValues<List> {
  const blank = Object.entries(fields).map(([name, field]) => [name, typed(field, field.blank)])
  return Object.fromEntries(blank) as TypedValues<List>
}

/** As a reply has them. */
export function valuesFrom<List extends Fields>(fields: List, reply: object): TypedValues<List> {
  const values = Object.entries(fields).map(([name, field]) => [name, typed(field, at(reply, wireOf(name, field)))])
  return Object.fromEntries(values) as TypedValues<List>
}

/** What a preset fills in: only the fields that it has. */
export function valuesOfSome<List extends Fields>(fields: List, preset: object): Partial<TypedValues<List>> {
  const some = Object.entries(fields).filter(([name, field]) => at(preset, wireOf(name, field)) !== undefined)
  return valuesFrom(Object.fromEntries(some), preset) as Partial<TypedValues<List>>
}

const parts = (text: string, between: RegExp): string[] =>
  text
    .split(between)
    .map((one) => one.trim())
    .filter((one) => one !== '')

function sent({ kind }: TypedField, value: Value | undefined): unknown {
  if (typeof value !== 'string') return value ?? undefined
  if (kind === 'choice') return value
  if (kind === 'secret') return value === '' ? undefined : value
  if (kind === 'list') return parts(value, /[\s,;]+/)
  if (kind === 'commas') return parts(value, /,/)
  // Numbers may be written with blanks, and lines divide them as commas do.
  if (kind === 'clis') return parts(value, /[,;\n]+/).map((one) => one.replaceAll(/\s/g, ''))
  if (kind === 'digits') return value.replaceAll(/[\s-]/g, '')
  return kind === 'text' || kind === 'whole' ? value.trim() : value.trim() || undefined
}

/** The body of a request. An object within it is there even if all of it is left out. */
export function bodyFrom(fields: Fields, values: object): Readonly<Record<string, unknown>> {
  const groups = new Map<string, [string, unknown][]>([['', []]])
  const all = new Map(Object.entries(values) as [string, Value][])
  for (const [name, field] of Object.entries(fields)) {
    const [first = '', inner] = wireOf(name, field).split('.')
    const group = inner === undefined ? '' : first
    groups.set(group, [...(groups.get(group) ?? []), [inner ?? first, sent(field, all.get(name))]])
  }
  const within = [...groups].flatMap(([group, entries]) => (group === '' ? [] : [[group, Object.fromEntries(entries)]]))
  return Object.fromEntries([...(groups.get('') ?? []), ...within])
}

/** The form's field of each name on the wire that differs, for the errors of the server. */
export function formNames<List extends Fields>(fields: List): Record<string, keyof List & string> {
  const named = Object.entries(fields).flatMap(([name, { wire }]) => (wire === undefined ? [] : [[wire, name]]))
  return Object.fromEntries(named) as Record<string, keyof List & string>
}

/** By the names of the form and of the wire, in the order of the form. */
export function labelsFor(fields: Fields, labels: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(fields).flatMap(([name, field]) => {
    const label = ownValue(labels, name) ?? name
    return [name, wireOf(name, field)].map((of) => [of, label])
  })
  return Object.fromEntries(named)
}

const required = (value: unknown) => (String(value ?? '').trim() ? null : 'is required')

/** What is refused before anything is sent. */
export function rulesOf(fields: Fields): Record<string, typeof required> {
  const checked = Object.entries(fields).filter(([, field]) => field.required || field.kind === 'several')
  return Object.fromEntries(checked.map(([name]) => [name, required]))
}
