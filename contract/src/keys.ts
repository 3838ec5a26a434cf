import * as z from 'zod/mini'
import { json } from './route.ts'
import { EndOrNone, Id, Message, Name, OneLine, orRequired, wireInt } from './values.ts'

/** What a key may be used for. `write` includes reading. */
const areas = ['messages', 'campaigns', 'contacts', 'reports', 'accounts', 'credits', 'blacklist', 'hooks'] as const
export const keyScopes = areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const)
export type KeyScope = `${(typeof areas)[number]}:${'read' | 'write'}`

/** Of one account that work; those that were rolled and still work are not counted. */
export const keysMax = 20
const networksMax = 20
const overlapHoursMax = 168

const scope = { error: `must be one of ${keyScopes.join(', ')}` }
const Scopes = z
  .array(z.enum(keyScopes, scope), orRequired('must be a list'))
  .check(z.minLength(1, { error: 'must name at least one' }), z.maxLength(keyScopes.length))
const Network = OneLine(orRequired('must be text')).check(
  z.maxLength(50, { error: 'must be an address, or a network such as 203.0.113.0/24' }),
)
const Networks = z.array(Network, { error: 'must be a list' }).check(z.maxLength(networksMax))

const keyStates = ['active', 'ending', 'paused', 'ended', 'expired', 'revoked'] as const
export type KeyState = (typeof keyStates)[number]

export const KeyRow = z.object({
  keyId: z.number(),
  name: z.string(),
  last4: z.string(),
  scopes: z.array(z.enum(keyScopes)),
  /** Null: from everywhere. */
  networks: z.nullable(z.array(z.string())),
  /** `ending`: it was rolled, and works until `endsAt`. `paused`: the database was restored since. */
  state: z.enum(keyStates),
  createdAt: z.string(),
  /** Null: never. */
  expiresAt: z.nullable(z.string()),
  /** Null: it was not rolled. */
  endsAt: z.nullable(z.string()),
  /** To the minute; null: never. */
  usedAt: z.nullable(z.string()),
  usedFrom: z.nullable(z.string()),
})
export type KeyRow = z.output<typeof KeyRow>

const Made = z.extend(Message, {
  keyId: z.number(),
  /** Shown this one time. */
  key: z.string(),
})

export const keyRoutes = {
  /** The account's own, the newest first; those that ended for a month. */
  list: json({ method: 'GET', path: '/api/obd/keys', reply: z.array(KeyRow) }),
  /** For a year, unless `expiresAt` says otherwise: later, or 'none', only with networks. */
  create: json({
    method: 'POST',
    path: '/api/obd/keys',
    input: z.object({
      name: Name,
      scopes: Scopes,
      networks: z.optional(Networks),
      expiresAt: z.optional(EndOrNone),
    }),
    reply: Made,
  }),
  /** A new secret for the same program. The one before works for so many hours more. */
  roll: json({
    method: 'POST',
    path: '/api/obd/keys/roll',
    input: z.object({ keyId: Id, overlapHours: wireInt(0, overlapHoursMax) }),
    reply: Made,
  }),
  /** It works no more, at once. */
  revoke: json({ method: 'POST', path: '/api/obd/keys/revoke', input: z.object({ keyId: Id }), reply: Message }),
}
