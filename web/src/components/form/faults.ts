import { ownValue } from '@ghanti/contract/own-values.ts'

type Fault = { name: string; label: string; text: string }

/** A form's errors in the order of `labels`, and after them those of fields without a label, by their names. */
export function faultsOf(errors: Readonly<Record<string, unknown>>, labels: Readonly<Record<string, string>>): Fault[] {
  const order = Object.keys(labels)
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.entries(errors)
    .flatMap(([name, text]) =>
      typeof text === 'string' ? [{ name, label: ownValue(labels, name) ?? name, text }] : [],
    )
    .toSorted((a, b) => placeOf(a.name) - placeOf(b.name))
}
