import type { Format } from './format.ts'

/** 'menu2' as 'Menu 2' by the words of `names`; what has none stays as it is. */
export function partNameText(place: string, names: Readonly<Record<string, string>>, format: Format): string {
  const { role = '', number = '' } = /^(?<role>[a-zA-Z]+)(?<number>\d*)$/.exec(place)?.groups ?? {}
  const name = Object.hasOwn(names, role) ? names[role] : undefined
  return name === undefined ? place : `${name} ${format.digits(number)}`.trim()
}
