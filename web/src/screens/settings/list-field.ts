export const entriesOf = (typed: string, between: RegExp | string): string[] =>
  typed
    .split(between)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Errors of any entry belong to the one field of the list. */
export function fieldsOfList<Name extends string>(wire: string, field: Name, entries: number): Record<string, Name> {
  const paths = Array.from({ length: entries }, (_, index) => `${wire}.${index}`)
  return Object.fromEntries([wire, ...paths].map((path) => [path, field]))
}
