import * as z from 'zod/mini'
import { jsonOr } from './bounded-json.ts'
import { keyLabelMax, type KeyLabels as Names } from './key-names.ts'
import { dtmfKeys } from './templates.ts'
import { oneLine, seen } from './values.ts'

const tooLong = `is longer than ${keyLabelMax} characters`

const KeyLabel = z.string({ error: 'must be text' }).check(
  z.maxLength(10 * keyLabelMax, { error: tooLong, abort: true }),
  z.overwrite((text) => text.normalize('NFC')),
  z.trim(),
  oneLine,
  seen('is required'),
  z.refine((text) => [...text].length <= keyLabelMax, { error: tooLong }),
)

/** What a campaign calls its keys, for people: { '1': 'Interested' }. A key of several menus has one name. */
export const KeyLabels = jsonOr(z.partialRecord(z.enum(dtmfKeys), KeyLabel, { error: 'must have a name by key' }))

/** Those of a stored campaign or set-up. What another release stored and this one does not read counts as none. */
export function storedKeyLabels(stored: unknown): Names {
  return KeyLabels.safeParse(stored ?? {}).data ?? {}
}
