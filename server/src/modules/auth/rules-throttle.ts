/** Limits of sign-ins and reset mails. docs/adr/7 says how many guesses they leave to an attacker. */
import ipaddr from 'ipaddr.js'

/** At most `points` within a window of `seconds` that starts with the first one. */
export type Limit = { points: number; seconds: number }

const daySeconds = 24 * 3600

/** How long wrong passwords of one name count against one network, or one browser that signed in before. */
export const failuresKeptSeconds = daySeconds
const failuresFree = 10
const delayMinSeconds = 10
const delayMaxSeconds = 1800

/** The wait after the nth wrong password in a row: none nine times, then 10 s, 20 s, … up to half an hour. */
export function delaySeconds(failures: number): number {
  if (failures < failuresFree) return 0
  return Math.min(delayMaxSeconds, delayMinSeconds * 2 ** Math.min(failures - failuresFree, 20))
}

/** Strangers' failures from one network, whatever the name. The window is short, because a whole town may share one address. */
export const strangersOfNetwork: Limit = { points: 20, seconds: 180 }

/** Strangers' tries of one name from anywhere. Neighbourhoods that have hardly tried share a lane of their own, which few can fill. */
export const freshLane: Limit = { points: 10, seconds: 300 }
export const staleLane: Limit = { points: 15, seconds: 900 }
const freshTries = 3

/** `triesOfNeighbourhood`: of this name within a day, this one included. */
export function isFresh(triesOfNeighbourhood: number): boolean {
  return triesOfNeighbourhood <= freshTries
}

/** How long a network counts as known to an account after a sign-in from it. */
export const networkKnownSeconds = 90 * daySeconds
/** How long it is remembered that an account signed in at all: longer than its browsers keep their cookie. */
export const accountKnownSeconds = 500 * daySeconds
/** The same for a browser; browsers keep no cookie longer. */
export const deviceKnownDays = 400

/** Sign-ins of somebody who knows the password: each leaves a line in the audit log for good. Twice what a program needs that signs in for each of its changes (modules/limits). */
export const signInsOfAccount: readonly Limit[] = [
  { points: 600, seconds: 60 },
  { points: 20_000, seconds: daySeconds },
]
/** Failures with names that no account has, which leave a line in the audit log for good, from what an attacker gets cheaply. */
export const unknownNamesLogged: Limit = { points: 200, seconds: daySeconds }

/** How often an account is told that somebody knows its password and tries codes. */
export const wrongCodesTold: Limit = { points: 1, seconds: daySeconds }

/** How many names one network may ask about before it no longer learns which exist. */
export const resetsOfNetwork: Limit = { points: 20, seconds: 900 }
/** The same for a neighbourhood, whose networks come cheap. */
export const resetsOfNeighbourhood: Limit = { points: 100, seconds: 900 }
/** How long reset mails count against a name, or against a browser that signed in before. */
export const resetMailsKeptSeconds = daySeconds
const resetMailGapMinutes = [5, 15, 30, 60]
const resetMailGapMaxMinutes = 90

/** The wait after the nth mail before the next; at most twenty a day. */
export function resetMailGapSeconds(mails: number): number {
  return 60 * (resetMailGapMinutes[mails - 1] ?? resetMailGapMaxMinutes)
}

/** What one customer of a provider holds: an IPv4 address or an IPv6 /64. All addresses that a proxy did not report count as one. */
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
