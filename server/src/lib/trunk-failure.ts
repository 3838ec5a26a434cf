import type { HungUp } from '../drivers/telephony/driver.ts'

const words = new Map([
  [401, '401: it wants other credentials'],
  [402, '402: it wants to be paid'],
  [403, '403: it forbids the call'],
  [407, '407: it wants other credentials'],
  [488, '488: no codec in common'],
  [500, '500: an error of its own'],
  [503, '503: it takes no calls now'],
])
const causes = new Map([
  [3, 'no route to the called network'],
  [34, 'no circuit is free'],
  [38, 'the network is out of order'],
  [41, 'a temporary failure of the network'],
  [42, 'the switch is overloaded'],
  [47, 'no resource is free'],
  [58, 'no codec in common, or on hold all the time'],
  [88, 'no codec in common'],
])

/** 4xx codes about numbers and people; all others are about the operator. */
const numbersOwn = new Set([404, 408, 410, 480, 484, 486])
const isOperators = (sipStatus: number): boolean =>
  sipStatus === 606 || (sipStatus >= 400 && sipStatus < 500 && !numbersOwn.has(sipStatus))

/** Only a call shows whether it answers. */
export const notAsked = (trunk: string): string => `trunk ${trunk} is not asked by OPTIONS: make a test call`

/** What a call that the network refused says about its trunk, as a sentence; null when it says something about the called person, or nothing. */
export function faultOf(end: Pick<HungUp, 'endedBy' | 'sipStatus' | 'cause' | 'alerted'>): string | null {
  if (end.endedBy === 'ringTimeout' && !end.alerted) return 'nothing answered the call'
  if (end.endedBy !== 'network') return null
  const { sipStatus, cause } = end
  if (!end.alerted && (sipStatus === 408 || (sipStatus === null && (cause === 18 || cause === 102))))
    return 'nothing answered the call'
  if (sipStatus === null) return causes.get(cause ?? 0) ?? null
  const known = words.get(sipStatus)
  if (known !== undefined) return known
  if (sipStatus >= 500 && sipStatus < 600) return `${sipStatus}: it failed`
  return end.alerted || !isOperators(sipStatus) ? (causes.get(cause ?? 0) ?? null) : `${sipStatus}: it refuses the call`
}
