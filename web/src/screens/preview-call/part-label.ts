import { partName, type Part } from '@ghanti/callflow/flow.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { partNameText } from '@ghanti/contract/part-names.ts'

/** 'Menu', 'Menu 2', 'Date 1'. */
export function labelOf(part: Part, t: TextsOf<'previewCall'>, format: Format): string {
  return partNameText(partName(part), t.parts, format.digits)
}

/** '1', or '1 (Interested)' where the campaign gave the key a name. */
export function keyText(names: KeyLabels, key: string): string {
  const name = ownValue(names, key)
  return name === undefined ? key : `${key} (${name})`
}
