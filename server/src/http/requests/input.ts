import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { ListQuery } from '@ghanti/contract/route.ts'
import * as z from 'zod/mini'
import { AppError, badField, type FieldError } from '../../errors.ts'

type Fields = Record<string, unknown>

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Longer than what any field takes but one, so that no check of a text meets a longer one. JSON as text may come near it. */
const longTextMax = 100_000

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > longTextMax

/** Whether the field is the exception: its schema takes longer texts. */
function takesLongText({ input }: Route, field: string): boolean {
  const schema: z.core.$ZodType | undefined =
    input instanceof z.ZodMiniObject ? ownValue(input.shape, field) : undefined
  const text = schema instanceof z.ZodMiniOptional ? schema._zod.def.innerType : schema
  const checks = text instanceof z.ZodMiniString ? (text._zod.def.checks ?? []) : []
  return checks.some(({ _zod: { def } }) => 'maximum' in def && Number(def.maximum) > longTextMax)
}

/** '', null and absent mean the same (docs/api.md#requests) at every depth. Items of a list keep their positions. */
function withoutBlanks(value: unknown, field: string): unknown {
  if (isLong(value)) throw badField(field, `is longer than ${longTextMax} characters`, 'too_big')
  if (Array.isArray(value)) return value.map((part) => withoutBlanks(part, field))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== '' && part !== null && part !== undefined)
      .map(([name, part]) => [name, withoutBlanks(part, field)]),
  )
}

/** All of the request's input in one object: the query if the method has one, then the body, then the path. Later ones win. */
export function saidBy(route: Route, request: { params: unknown; query: unknown; body: unknown }): Fields {
  const { params, query, body } = request
  if (body !== undefined && body !== null && !isFields(body)) throw badField('body', 'must be a JSON object')
  const said = {
    ...(route.method !== 'POST' && isFields(query) ? onceEach(query) : {}),
    ...body,
    ...(isFields(params) ? params : {}),
  }
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) =>
      value === '' || value === null
        ? []
        : [[name, isLong(value) && takesLongText(route, name) ? value : withoutBlanks(value, name)]],
    ),
  )
}

/** Refuses a repeated parameter: `page=1&page=2` has no meaning. */
function onceEach(query: Fields): Fields {
  const twice = Object.keys(query).filter((name) => Array.isArray(ownValue(query, name)))
  if (twice.length > 0)
    throw new AppError(
      'bad_input',
      twice.map((field) => ({ field, code: 'twice', text: 'is there twice' })),
    )
  return query
}

/** The message for a value whose schema has none of its own. */
function wordsOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required'
  if (issue.code === 'invalid_type') return ownValue(typeWords, issue.expected) ?? 'is not valid'
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big')
    return issue.origin === 'string' ? `is longer than ${issue.maximum} characters` : 'is too large'
  return 'is not valid'
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object with fields',
}

const notKnown = 'is not known here'

function fieldErrorsOf(error: z.core.$ZodError): FieldError[] {
  return error.issues.flatMap((issue): FieldError[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), code: 'unknown', text: notKnown }))
    const field = issue.path.length > 0 ? issue.path.map(String).join('.') : 'body'
    const code = issue.message === 'is required' ? 'required' : issue.code
    return [{ field, code, text: issue.message }]
  })
}

export function parseInput(route: Route, said: Fields): { input: unknown; errors: FieldError[] } {
  const parsed = z.safeParse(route.input, said, { error: wordsOf })
  const errors = [...(parsed.success ? [] : fieldErrorsOf(parsed.error)), ...unknownFilters(route, said)]
  return { input: parsed.data, errors }
}

/** Refuses an unknown filter. Ignoring it would return rows that the caller did not ask for. */
function unknownFilters(route: Route, said: Fields): FieldError[] {
  const filters = Object.keys(route.filters)
  if (route.kind !== 'list' && filters.length === 0) return []
  const fields = route.input instanceof z.ZodMiniObject ? Object.keys(route.input.shape) : []
  const known = new Set([...fields, ...(route.kind === 'list' ? Object.keys(ListQuery.shape) : [])])
  const text = filters.length === 0 ? noFilters : `is no filter of this list; it has ${filters.join(', ')}`
  return Object.keys(said)
    .filter((field) => !known.has(field))
    .map((field) => ({ field, code: 'unknown', text }))
}
const noFilters = 'is no filter of this list; it has none'

/** Fills in the sort key and its order, so that handlers need not know the default. */
export function parseListQuery(route: Route, query: unknown): ListQuery {
  const parsed = z.safeParse(ListQuery, withoutBlanks(query, 'query'), { error: wordsOf })
  if (!parsed.success) throw new AppError('bad_input', fieldErrorsOf(parsed.error))
  const list = parsed.data
  const asked = list.sort ?? route.sort[0]?.replace(/^-/, '')
  if (asked === undefined) return list
  const line = route.sort.find((key) => key.replace(/^-/, '') === asked)
  if (line === undefined)
    throw badField('sort', `must be one of ${route.sort.map((key) => key.replace(/^-/, '')).join(', ')}`)
  return { ...list, sort: asked, order: list.order ?? (line.startsWith('-') ? 'desc' : 'asc') }
}
