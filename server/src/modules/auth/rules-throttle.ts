/** How sign-ins and mails with reset links are slowed down: docs/adr/7, with the guesses that these numbers leave to an attacker. */
import ipaddr from 'ipaddr.js'

/** At most `points` within a window of `seconds`, which begins with the first. */
export type Limit = { points: number; seconds: number }

const daySeconds = 24 * 3600

/** Wrong passwords of one name from one network, or from one browser that signed in before, are counted for so long. */
export const failuresKeptSeconds = daySeconds
const failuresFree = 10
const delayMinSeconds = 10
const delayMaxSeconds = 1800

/** How long after the nth wrong password in a row (this one counted) the next try waits: nothing nine times, then 10 s, 20 s, ... up to half an hour. */
export function delaySeconds(failures: number): number {
  if (failures < failuresFree) return 0
  return Math.min(delayMaxSeconds, delayMinSeconds * 2 ** Math.min(failures - failuresFree, 20))
}

/** Strangers' failures with any names from one network: the window is short, because a whole town may be behind one address. */
export const strangersOfNetwork: Limit = { points: 20, seconds: 180 }

/** Strangers' tries of one name, from the whole world. Those from a neighbourhood that has hardly tried are a lane of their own, which few can fill. */
export const freshLane: Limit = { points: 10, seconds: 300 }
export const staleLane: Limit = { points: 15, seconds: 900 }
const freshTries = 3

/** `triesOfNeighbourhood`: of this name within a day, this one counted. */
export function isFresh(triesOfNeighbourhood: number): boolean {
  return triesOfNeighbourhood <= freshTries
}

/** A network from which somebody signed in is no stranger's to that account for so long. */
export const networkKnownSeconds = 90 * daySeconds
/** And a browser; no browser keeps a cookie longer. */
export const deviceKnownDays = 400

/** Names asked about from one network, before it is no longer told which of them there are. */
export const resetsOfNetwork: Limit = { points: 20, seconds: 900 }
/** Mails with reset links for one name, or for one browser that signed in before, are counted for so long. */
export const resetMailsKeptSeconds = daySeconds
const resetMailGapMinutes = [5, 15, 30, 60]
const resetMailGapMaxMinutes = 90

/** How long after the nth mail (this one counted) the next one may go out: at most twenty within a day. */
export function resetMailGapSeconds(mails: number): number {
  return 60 * (resetMailGapMinutes[mails - 1] ?? resetMailGapMaxMinutes)
}

/** What one customer of a provider holds: an IPv4 address, an IPv6 /64. What a proxy could not tell is one network too. */
export function networkOf(ip: string): string {
  return prefixOf(ip, 4, 4)
}

/** What is cheap to get together: an IPv4 /24, an IPv6 /48. */
export function neighbourhoodOf(ip: string): string {
  return prefixOf(ip, 3, 3)
}

/** An address that holds an IPv4 one (::ffff:…) counts as that. */
function prefixOf(ip: string, octets: number, groups: number): string {
  if (!ipaddr.isValid(ip)) return 'unknown'
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, octets).join('.')}/${octets * 8}`
  const named = address.parts.slice(0, groups).map((part) => part.toString(16))
  return `${named.join(':')}::/${groups * 16}`
}
