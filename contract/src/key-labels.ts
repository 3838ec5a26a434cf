import * as z from 'zod/mini'
import { jsonOr } from './bounded-json.ts'
import { ownValue } from './own-values.ts'
import { dtmfKeys } from './templates.ts'
import { oneLine } from './values.ts'

/** In characters as Unicode counts them, so that a pictogram is one. */
export const keyLabelMax = 40
const tooLong = `is longer than ${keyLabelMax} characters`

/** A text of which something is seen: marks and joiners alone would leave a key without a name. */
const KeyLabel = z.string({ error: 'must be text' }).check(
  z.maxLength(10 * keyLabelMax, { error: tooLong, abort: true }),
  z.overwrite((text) => text.normalize('NFC')),
  z.trim(),
  oneLine,
  z.regex(/[\p{L}\p{N}\p{P}\p{S}]/u, { error: 'is required', abort: true }),
  z.refine((text) => [...text].length <= keyLabelMax, { error: tooLong }),
)

function faultOf(input: unknown): string {
  const isNamed = typeof input === 'object' && input !== null && !Array.isArray(input)
  const foreign = isNamed ? Object.keys(input).find((name) => !dtmfKeys.some((key) => key === name)) : undefined
  if (foreign === undefined) return 'must have a name by key'
  return `has '${foreign.slice(0, 20)}', which is not a key: keys are 0 to 9 and *`
}

/** What a campaign calls its keys, for people: { '1': 'Interested' }. A key of several menus has one name. */
export const KeyLabels = jsonOr(z.partialRecord(z.enum(dtmfKeys), KeyLabel, { error: ({ input }) => faultOf(input) }))
export type KeyLabels = Readonly<Record<string, string>>

/** Those of a stored campaign or set-up. What another release stored and this one does not read counts as none. */
export function storedKeyLabels(stored: unknown): KeyLabels {
  return KeyLabels.safeParse(stored ?? {}).data ?? {}
}

export const hasNames = (labels: KeyLabels): boolean => Object.keys(labels).length > 0

/** A key's name in a campaign: the one it was given, else `ofTemplate`, what the template says of it, else the key. */
export function keyName(labels: KeyLabels, key: string, ofTemplate = key): string {
  return ownValue(labels, key) ?? ofTemplate
}

/** 'Interested; 2' for the keys of a call in order; '' when none of them has a name. */
export function keyNamesOf(labels: KeyLabels, keys: string): string {
  const pressed = [...keys]
  if (!pressed.some((key) => ownValue(labels, key) !== undefined)) return ''
  return pressed.map((key) => keyName(labels, key)).join('; ')
}
