import * as z from 'zod/mini'

/** What a list of fields says of each: its kind of value, and the value of a form that nobody has touched. */
export type ListedField = { shape: z.ZodMiniType; blank: unknown }

export type ValuesOf<Fields extends Record<string, ListedField>> = {
  [Name in keyof Fields & string]: z.output<Fields[Name]['shape']>
}

export function namesOf<Fields extends Record<string, ListedField>>(fields: Fields): (keyof Fields & string)[] {
  return Object.keys(fields) as (keyof Fields & string)[]
}

/** Record by name. The compiler cannot follow the names through `Object.fromEntries`; every use of that is here. */
function byName<Fields extends Record<string, ListedField>, Values>(
  fields: Fields,
  valueOf: (field: ListedField) => unknown,
): Values {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueOf(field)])) as Values
}

export function blankOf<Fields extends Record<string, ListedField>>(fields: Fields): ValuesOf<Fields> {
  return byName<Fields, ValuesOf<Fields>>(fields, ({ blank }) => blank)
}

/** Reads values that were stored, such as a draft's. A field that is newer than they are is blank. */
export function schemaOf<Fields extends Record<string, ListedField>>(fields: Fields): z.ZodMiniType<ValuesOf<Fields>> {
  const shapes = byName<Fields, Record<string, z.ZodMiniType>>(fields, ({ shape, blank }) => z._default(shape, blank))
  return z.object(shapes) as unknown as z.ZodMiniType<ValuesOf<Fields>>
}
