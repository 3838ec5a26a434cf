import * as z from 'zod/mini'
import { OneLine, orRequired, wireInt } from './values.ts'

export const Port = wireInt(1, 65_535)

const hostError = 'must be an IP address or a host name'
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i

/** Four groups of digits are always meant as an address: 10.0.0.300 is a mistake, not a name. */
export function isHost(text: string): boolean {
  if (text.length > 253) return false
  if (/^[\d.]+$/.test(text)) return z.safeParse(z.ipv4(), text).success
  return text.split('.').every((part) => label.test(part)) || z.safeParse(z.ipv6(), text).success
}

export const DialHost = OneLine(orRequired('must be text')).check(
  z.trim(),
  z.minLength(1, { error: 'is required' }),
  z.refine(isHost, { error: hostError }),
)

/** A machine's password: printable ASCII. It is stored encrypted and never sent back. */
export const Secret = OneLine({ error: 'must be text' }).check(
  z.maxLength(200, { error: 'is longer than 200 characters' }),
  z.regex(/^[\x20-\x7e]*$/, { error: 'must hold letters, digits and signs of a plain keyboard only' }),
)

/** The last call that a trunk or caller ID did not carry, with the cause as a sentence; null when none is known. */
export const Failing = z.nullable(z.object({ reason: z.string(), at: z.string() }))
