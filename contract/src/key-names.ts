import { ownValue } from './own-values.ts'

/** Apart from their schema, so that whoever shows names need not load it. */

/** In characters as Unicode counts them, so that a pictogram is one. */
export const keyLabelMax = 40

/** What a campaign calls its keys: { '1': 'Interested' }. */
export type KeyLabels = Readonly<Record<string, string>>

export const hasNames = (labels: KeyLabels): boolean => Object.keys(labels).length > 0

/** A key's name in a campaign: the one it was given, else `ofTemplate`, what the template says of it, else the key. */
export function keyName(labels: KeyLabels, key: string, ofTemplate = key): string {
  return ownValue(labels, key) ?? ofTemplate
}

/** '1 (Interested)', or `shown` alone where the campaign gave the key no name. */
export function keyWithName(labels: KeyLabels, key: string, shown = key): string {
  const name = ownValue(labels, key)
  return name === undefined ? shown : `${shown} (${name})`
}

/** 'Interested; 2' for the keys of a call in order; '' when none of them has a name. */
export function keyNamesOf(labels: KeyLabels, keys: string): string {
  const pressed = [...keys]
  if (!pressed.some((key) => ownValue(labels, key) !== undefined)) return ''
  return pressed.map((key) => keyName(labels, key)).join('; ')
}
