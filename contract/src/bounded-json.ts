/** JSON of strangers costs CPU for each value that it has, so values and depth are counted by one pass over the text before anything is built. */
import * as z from 'zod/mini'

/** Where the schema can hold no more. */
export const jsonPartsMin = 256
export const jsonDepthMax = 16

export type JsonBounds = { partsMax: number; depthMax: number }

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openFields, closeFields] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * What is too large about `text`, as the end of a sentence; null: nothing. Parts are fields, items, lists and objects: opening brackets and commas
 * outside of texts. Whether it is JSON at all is for JSON.parse to say, which takes linear time.
 */
export function faultOfJson(text: string, { partsMax, depthMax }: JsonBounds): string | null {
  let parts = 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (code === comma) parts++
    else if (code === closeList || code === closeFields) depth--
    else if (code === openList || code === openFields) {
      parts++
      if (++depth > depthMax) return `has more than ${depthMax} levels of lists and fields`
    }
    if (parts > partsMax) return `has more than ${partsMax} fields and items of lists`
  }
  return null
}

/** Where the text that begins at `from` ends: at a quotation mark with an even number of backslashes before it. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}

/** The bounds of JSON for `schema`: as many parts as it can hold, `jsonPartsMin` at least. */
export function jsonBoundsOf(schema: z.core.$ZodType): JsonBounds {
  return { partsMax: Math.max(jsonPartsMin, partsOf(schema)), depthMax: jsonDepthMax }
}

/** How many parts a value of the schema can have, itself included. A list without a maximum and a record count as `jsonPartsMin` items. */
function partsOf(schema: z.core.$ZodType): number {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return 1 + Object.values(def.shape).reduce((sum, field) => sum + 1 + partsOf(field), 0)
    case 'array':
      return 1 + itemsMaxOf(schema) * (1 + partsOf(def.element))
    case 'record':
      return 1 + jsonPartsMin * (1 + partsOf(def.valueType))
    case 'union':
      return Math.max(...def.options.map(partsOf))
    case 'pipe':
      return Math.max(partsOf(def.in), partsOf(def.out))
    default:
      return 'innerType' in def ? partsOf(def.innerType) : 0
  }
}

/** Zod keeps the bounds of a list in its checks. */
function itemsMaxOf({ _zod: { def } }: z.core.$ZodType): number {
  const maxima = (def.checks ?? []).map(({ _zod: check }) => check.def).filter(isMaximum)
  return maxima.length === 0 ? jsonPartsMin : Math.min(...maxima.map(({ maximum }) => maximum))
}

function isMaximum(def: z.core.$ZodCheckDef): def is z.core.$ZodCheckMaxLengthDef {
  return def.check === 'max_length'
}

/** JSON, or JSON as text within the schema's bounds, for agentRows, prompts and cliRows (docs/api.md#requests). */
export function jsonOr<S extends z.ZodMiniType>(schema: S) {
  let bounds: JsonBounds | undefined // worked out when it is needed, so that the console can leave it out
  return z.pipe(
    z.transform((value: unknown, ctx) => {
      if (typeof value !== 'string') return value
      const fault = faultOfJson(value, (bounds ??= jsonBoundsOf(schema)))
      if (fault !== null) {
        ctx.issues.push({ code: 'custom', input: value, message: fault })
        return z.NEVER
      }
      try {
        return JSON.parse(value) as unknown
      } catch {
        return value
      }
    }),
    schema,
  )
}
