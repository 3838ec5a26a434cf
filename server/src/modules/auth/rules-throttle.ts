/** docs/adr/7 says how many guesses these limits leave to an attacker. */
import ipaddr from 'ipaddr.js'

/** The window starts with its first point. */
export type Limit = { points: number; seconds: number }

const daySeconds = 24 * 3600

/** Of one name against one network, or one browser that signed in before. */
export const failuresKeptSeconds = daySeconds
const failuresFree = 10
const delayMinSeconds = 10
const delayMaxSeconds = 1800

/** After the nth wrong password in a row: none nine times, then 10 s, 20 s, … up to half an hour. */
export function delaySeconds(failures: number): number {
  if (failures < failuresFree) return 0
  return Math.min(delayMaxSeconds, delayMinSeconds * 2 ** Math.min(failures - failuresFree, 20))
}

/** Whatever the name. The window is short, because a whole town may share one address. */
export const strangersOfNetwork: Limit = { points: 20, seconds: 180 }

/** Of one name from anywhere. Neighbourhoods that have hardly tried share a lane of their own, which few can fill. */
export const freshLane: Limit = { points: 10, seconds: 300 }
export const staleLane: Limit = { points: 15, seconds: 900 }
const freshTries = 3

/** `triesOfNeighbourhood`: of this name within a day, this one included. */
export function isFresh(triesOfNeighbourhood: number): boolean {
  return triesOfNeighbourhood <= freshTries
}

/** To an account, after a sign-in from it. */
export const networkKnownSeconds = 90 * daySeconds
/** Browsers keep no cookie longer. */
export const deviceKnownDays = 400

/** Names to ask about before a network no longer learns which exist. */
export const resetsOfNetwork: Limit = { points: 20, seconds: 900 }
/** Against a name, or a browser that signed in before. */
export const resetMailsKeptSeconds = daySeconds
const resetMailGapMinutes = [5, 15, 30, 60]
const resetMailGapMaxMinutes = 90

/** After the nth mail; at most twenty a day. */
export function resetMailGapSeconds(mails: number): number {
  return 60 * (resetMailGapMinutes[mails - 1] ?? resetMailGapMaxMinutes)
}

/** One customer of a provider: an IPv4 address or an IPv6 /64. All addresses that a proxy did not report count as one. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4, 4)
}

/** What an attacker gets cheaply: an IPv4 /24 or an IPv6 /48. */
export function neighbourhoodOf(ip: string): string {
  return prefixOf(ip, 3, 3)
}

/** An IPv4-mapped address (::ffff:…) counts as IPv4. */
function prefixOf(ip: string, octets: number, groups: number): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, octets).join('.')}/${octets * 8}`
  const named = address.parts.slice(0, groups).map((part) => part.toString(16))
  return `${named.join(':')}::/${groups * 16}`
}
