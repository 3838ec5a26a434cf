import { ownValue } from '@ghanti/contract/own-values.ts'
import { auditDetailWords } from '@ghanti/contract/audit-detail-words.ts'
import { auditTargetWords } from '@ghanti/contract/audit-words.ts'
import { rupeesText } from '@ghanti/contract/money.ts'
import { templateTypeLabel } from '@ghanti/contract/template-names.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'

/** Names by id; undefined when nothing has that id. */
export type Names = Record<'users' | 'plans' | 'bases', ReadonlyMap<number, string>>
export type Detail = { name: string; value: string }

const namedBy = new Map<string, keyof Names>([
  ['ownerId', 'users'],
  ['userId', 'users'],
  ['planId', 'plans'],
  ['baseId', 'bases'],
])

/** Each changed field with its value, amounts, times and ids as people write them. Empty values are left out. */
export function detailsOf(detail: unknown, names: Names, prefix = ''): Detail[] {
  if (typeof detail !== 'object' || detail === null) return []
  return Object.entries(detail)
    .toSorted(([a], [b]) => Number(b === 'name') - Number(a === 'name'))
    .flatMap(([key, value]: [string, unknown]) => {
      if (isEmpty(value)) return []
      const name = `${prefix}${key}`
      if (typeof value === 'object' && !Array.isArray(value)) return detailsOf(value, names, `${name}.`)
      return { name, value: valueOf(key, value, names) }
    })
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of `change` that differ from `before`, inside nested ones too. What was emptied is '–'. */
function changesOf(before: Fields, change: Fields): Record<string, unknown> {
  const changed = Object.entries(change).flatMap(([key, value]): [string, unknown][] => {
    const old = ownValue(before, key)
    if (isFields(value) && isFields(old)) {
      const inner = changesOf(old, value)
      return Object.keys(inner).length === 0 ? [] : [[key, inner]]
    }
    if (JSON.stringify(old) === JSON.stringify(value) || (isEmpty(old) && isEmpty(value))) return []
    return [[key, isEmpty(value) ? '–' : value]]
  })
  return Object.fromEntries(changed)
}

/** For the line of an update: what was changed, and the name, by which the log names its target. Of a sealed secret only whether there is one. */
export function updatedFields<Row extends Fields & { name: string }>(
  before: Row,
  changed: Partial<Row>,
  secret?: keyof Row & string,
): Record<string, unknown> {
  const change: Record<string, unknown> = { ...changed }
  const sealed = secret && ownValue(change, secret)
  const newSecret = secret !== undefined && sealed !== undefined && sealed !== ownValue(before, secret)
  if (secret) delete change[secret]
  return { name: before.name, ...changesOf(before, change), ...(newSecret && { hasSecret: sealed !== null }) }
}

/** What an exported list was filtered by: 'Renewal; status: running, paused'. Each search has its own audit line within the hour. */
export function searchedWords(search: string | undefined, filters: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(filters).filter(([, value]) => value !== undefined)
  const words = said.map(
    ([key, value]) => `${labelOf(key)}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  )
  return [...(search ? [search] : []), ...words].join('; ')
}

/** 'reason: complaints; sip host: sip.example.com'. */
export function wordsOf(details: readonly Detail[]): string {
  return details.map(({ name, value }) => `${labelOf(name)}: ${value}`).join('; ')
}

/** 'prompt 10' becomes 'Voice file 10'; a blacklisted number stays as it is. */
export function targetWordsOf(target: string | null): string | null {
  const [, kind = '', id = ''] = /^([a-z ]*[a-z]) ?(\d*|[\da-f-]{36})$/.exec(target ?? '') ?? []
  const name = ownValue(auditTargetWords, kind)
  return name === undefined ? target : `${name} ${id}`.trim()
}

function labelOf(name: string): string {
  return name
    .split('.')
    .map((part) => ownValue(auditDetailWords, part) ?? part)
    .join(' ')
}

export function idsIn(details: readonly unknown[]): Record<keyof Names, number[]> {
  const ids = { users: new Set<number>(), plans: new Set<number>(), bases: new Set<number>() }
  const look = (detail: unknown): void => {
    if (typeof detail !== 'object' || detail === null) return
    for (const [key, value] of Object.entries(detail)) {
      const kind = namedBy.get(key)
      if (kind && typeof value === 'number') ids[kind].add(value)
      else look(value)
    }
  }
  details.forEach(look)
  return { users: [...ids.users], plans: [...ids.plans], bases: [...ids.bases] }
}

function valueOf(key: string, value: unknown, names: Names): string {
  if (typeof value === 'number') {
    const kind = namedBy.get(key)
    if (kind) return names[kind].get(value) ?? String(value)
    if (key === 'templateId') return templateTypeLabel(value) || String(value)
    if (key.endsWith('Paisa')) return `Rs ${rupeesText(value)}`
    if (key === 'credits') return `Rs ${rupeesText(value * 100)}`
    if (key.endsWith('Ms')) return `${value / 1000} s`
  }
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : null
  return time ? nepalTimeOf(time) : textOf(value)
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
