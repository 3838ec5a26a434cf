import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'

function isKnown(role: string, parts: TextsOf<'answers'>['parts']): role is keyof typeof parts {
  return Object.hasOwn(parts, role)
}

/** 'menu2' as 'Menu 2', 'menu?' as the silence after it; what has no word stays as it is. */
export function partText(place: string, t: TextsOf<'answers'>, format: Format): string {
  if (place.endsWith('?')) return t.silence(partText(place.slice(0, -1), t, format))
  const [, role = place, number = ''] = /^([a-zA-Z]+)(\d*)$/.exec(place) ?? []
  if (!isKnown(role, t.parts)) return place
  return number === '' ? t.parts[role] : `${t.parts[role]} ${format.digits(number)}`
}
