import type { KeyState } from '@ghanti/contract/keys.ts'
import ipaddr from 'ipaddr.js'

const dayMs = 24 * 3600_000

/** Unless somebody says otherwise. */
export const lifetimeMs = 365 * dayMs
/** Of a key that may be used from everywhere: a year, and the day that some have more. */
export const longestMs = 366 * dayMs
/** Why a webhook is off. Translated in contract/src/nepali/hooks.ts. */
export const strangerReported = 'the owner of the account reported a stranger'

/** How long a key that works no more is listed. */
export const listedMs = 30 * dayMs
/** How long it is kept, so that it answers 'Token Expired'. */
export const keptMs = 400 * dayMs
/** How stale used_at may get, so that not every request writes. */
export const usedEveryMs = 60_000

/** The widest networks that are worth naming: a provider's. */
const widest = { ipv4: 8, ipv6: 16 } as const

type Network = { network: string } | { wrong: string }

/** 'a.b.c.d/n' without what lies behind the n bits; an address alone is a network of one. */
export function networkOf(text: string): Network {
  const [address = '', bits] = text.split('/')
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address))
    return { wrong: `is not an address or network: ${text}` }
  const parsed = ipaddr.process(address)
  const all = parsed.kind() === 'ipv4' ? 32 : 128
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return { wrong: `is not a network: ${text}` }
  const length = bits === undefined ? all : Number(bits)
  if (length > all) return { wrong: `is not a network: ${text}` }
  if (length < widest[parsed.kind()]) return { wrong: `is too wide: ${text} (at most a /${widest[parsed.kind()]})` }
  const written = `${parsed.toString()}/${length}`
  const first =
    parsed.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(written) : ipaddr.IPv6.networkAddressFromCIDR(written)
  return { network: `${first.toString()}/${length}` }
}

/** Whether the address lies in one of the networks. An IPv4-mapped one counts as IPv4. */
export function isWithin(ip: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return networks.some((network) => {
    const [first, bits] = ipaddr.parseCIDR(network)
    return first.kind() === address.kind() && address.match(first, bits)
  })
}

type Times = { expiresAt: Date | null; endsAt: Date | null; revokedAt: Date | null; isPaused: boolean }

export function stateOf({ expiresAt, endsAt, revokedAt, isPaused }: Times, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  if (endsAt && endsAt <= now) return 'ended'
  if (expiresAt && expiresAt <= now) return 'expired'
  if (isPaused) return 'paused'
  return endsAt ? 'ending' : 'active'
}
