import { faultOfJson, jsonDepthMax, type JsonBounds } from './bounded-json.ts'

/** Of a reply or callback, which may report a whole batch of messages. */
const bounds: JsonBounds = { partsMax: 2048, depthMax: jsonDepthMax }

/** JSON from a gateway: the one place where it is read. `fault`: what is wrong with it, as the end of a sentence. */
export function gatewayJson(text: string): { value: unknown } | { fault: string } {
  const fault = faultOfJson(text, bounds)
  if (fault !== null) return { fault }
  try {
    return { value: JSON.parse(text, keepDigits) as unknown }
  } catch {
    return { fault: 'is not JSON' }
  }
}

/**
 * Gateways write ids as numbers beyond 2^53, of which neighbours become the same number: one message's receipt would be another's. A whole number
 * that JavaScript cannot hold therefore becomes a text with its digits.
 */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || context?.source === undefined) return value
  return wholeNumberIn(context.source) ?? value
}

const digitsMax = 100

/** '2.71781022721654785e17' is written out; null for a number with a fraction, or of more digits than any id has. */
function wholeNumberIn(source: string): string | null {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) - fraction.length
  const digits = whole + fraction
  if (digits.length + Math.max(0, shift) > digitsMax) return null
  if (shift >= 0) return digits + '0'.repeat(shift)
  return /^0*$/.test(digits.slice(shift)) ? digits.slice(0, shift) : null
}
