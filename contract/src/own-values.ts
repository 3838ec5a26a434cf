/**
 * Records whose names people, files or other systems chose. `record[name]` of a column called 'constructor' finds what every object inherits, and
 * writing '__proto__' that way replaces the object's prototype. scripts/own-values.test.ts finds such reads and writes elsewhere.
 */

type Values<Value> = { readonly [name: string]: Value }

/** The record's own value; undefined where it has none of that name. */
export function ownValue<Value>(record: Values<Value> | null | undefined, name: string): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined
}

export function setOwnValue<Value>(record: { [name: string]: Value }, name: string, value: Value): void {
  // Every other name becomes an own one by plain writing, which is many times faster.
  if (name !== '__proto__') record[name] = value
  else Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true })
}
