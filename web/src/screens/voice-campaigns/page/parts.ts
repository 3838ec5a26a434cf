import type { TextsOf } from '../../../i18n/areas.ts'
import type { Format } from '../../../i18n/format.ts'
import { partNameText } from '@ghanti/contract/part-names.ts'

/** 'menu2' as 'Menu 2', 'menu?' as the silence after it. */
export function partText(place: string, t: TextsOf<'answers'>, format: Format): string {
  if (place.endsWith('?')) return t.silence(partText(place.slice(0, -1), t, format))
  return partNameText(place, t.parts, format.digits)
}
