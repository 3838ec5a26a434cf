import { partName, type Part } from '@ghanti/callflow/flow.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { partNameText } from '@ghanti/contract/part-names.ts'

/** 'Menu', 'Menu 2', 'Date 1'. */
export function labelOf(part: Part, t: TextsOf<'previewCall'>, format: Format): string {
  return partNameText(partName(part), t.parts, format.digits)
}
