import { partName, type Part } from '@ghanti/callflow/flow.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'

type Texts = TextsOf<'previewCall'>

/** 'Menu', 'Menu 2', 'Date 1'. */
export function labelOf(part: Part, t: Texts, format: Format): string {
  return nameLabel(partName(part), t, format)
}

/** The same of a menu's name. */
export function nameLabel(name: string, t: Texts, format: Format): string {
  const { kind = name, number = '' } = /^(?<kind>[a-zA-Z]+?)(?<number>\d*)$/.exec(name)?.groups ?? {}
  const kinds: Readonly<Record<string, string>> = t.parts
  return `${kinds[kind] ?? kind} ${format.digits(number)}`.trim()
}
