/** What was typed as a list: without blanks around an entry, and without empty ones. */
export const entriesOf = (typed: string, between: RegExp | string): string[] =>
  typed
    .split(between)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** What the server finds wrong with any entry of a list belongs to the one field that it was typed in. */
export function fieldsOfList<Name extends string>(wire: string, field: Name, entries: number): Record<string, Name> {
  const paths = Array.from({ length: entries }, (_, index) => `${wire}.${index}`)
  return Object.fromEntries([wire, ...paths].map((path) => [path, field]))
}
