import { createHash, randomUUID } from 'node:crypto'
import type { Db, Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Origin } from '../../http/types.ts'
import * as rules from './rules-throttle.ts'
import * as limits from './store-limits.ts'

type Caller = {
  username: string
  origin: Origin
  /** The id of a browser that signed in as this account before. */
  device: string | null
  /** The account's key; null for an unknown name, which takes the same steps. */
  deviceKey: string | null
  /** What a refusal names. */
  field?: string
}

/** What an attempt counts as, and what its success makes of that. */
export type Counted = {
  forgotten: readonly string[]
  givenBack: readonly string[]
  kept: readonly { key: string; seconds: number }[]
}

/** An attempt that is counted as a failure in advance, so that parallel attempts count too. */
export type CountedTry = { counted: Counted; wasRight(): Promise<void> }

/**
 * Counts a try before its password is checked; throws 429 when it must wait. A browser or network that signed in to the account before
 * waits only for its own failures. Strangers share lanes, which always let some through (docs/adr/7).
 */
export async function countTry(
  db: Db,
  { username, origin, device, deviceKey, field = 'username' }: Caller,
): Promise<CountedTry> {
  const name = signInKey(username)
  const network = rules.networkOf(origin.ip)
  const own = `${name} ${device === null ? network : `device ${device}`}`
  const gate = `${own} gate`
  const [waitMs, knownMs] = await limits.lifetimesMs(db, [gate, knownKey(deviceKey ?? randomUUID(), network)])
  requireNoWait(waitMs, field)
  const isStranger = device === null && knownMs === 0
  const shared = isStranger ? await takeShared(db, { name, ip: origin.ip, field }) : []
  const failures = await limits.count(db, own, rules.failuresKeptSeconds)
  const seconds = rules.delaySeconds(failures)
  if (seconds > 0) {
    const waitMs = await limits.take(db, gate, { points: 1, seconds })
    if (waitMs > 0) await giveBack(db, shared)
    requireNoWait(waitMs, field)
  }
  const counted = {
    forgotten: [own, gate],
    givenBack: shared.map(({ key }) => key),
    kept: deviceKey === null ? [] : [{ key: knownKey(deviceKey, network), seconds: rules.networkKnownSeconds }],
  }
  return { counted, wasRight: () => wasRight(db, counted) }
}

export function wasRight(db: Db, counted: Counted): Promise<void> {
  return limits.settleRight(db, counted)
}

const knownKey = (deviceKey: string, network: string): string => `known ${deviceKey} ${network}`

/** Whether somebody signed in to the account from this network before. */
export async function isKnownNetwork(db: Db, deviceKey: string, network: string): Promise<boolean> {
  return (await limits.lifetimeMs(db, knownKey(deviceKey, network))) > 0
}

type Taken = { key: string; seconds: number }

/** What strangers share: the network's failures with any name, and the lanes of this name. */
async function takeShared(db: Db, { name, ip, field }: { name: string; ip: string; field: string }): Promise<Taken[]> {
  const taken: Taken[] = []
  const takeOneOf = async (lanes: readonly { key: string; limit: rules.Limit }[]): Promise<void> => {
    const waits: number[] = []
    for (const { key, limit } of lanes) {
      const waitMs = await limits.take(db, key, limit)
      if (waitMs === 0) return void taken.push({ key, seconds: limit.seconds })
      waits.push(waitMs)
    }
    await giveBack(db, taken)
    requireNoWait(Math.min(...waits), field)
  }
  await takeOneOf([{ key: `login from ${rules.networkOf(ip)}`, limit: rules.strangersOfNetwork }])
  const neighbourhood = { key: `${name} near ${rules.neighbourhoodOf(ip)}`, seconds: rules.failuresKeptSeconds }
  const tries = await limits.count(db, neighbourhood.key, neighbourhood.seconds)
  taken.push(neighbourhood)
  const fresh = { key: `${name} fresh`, limit: rules.freshLane }
  const stale = { key: `${name} stale`, limit: rules.staleLane }
  await takeOneOf(rules.isFresh(tries) ? [fresh, stale] : [stale])
  return taken
}

async function giveBack(db: Db, taken: readonly Taken[]): Promise<void> {
  for (const { key, seconds } of taken) await limits.giveBack(db, key, seconds)
}

function requireNoWait(waitMs: number, field: string, what = 'has failed'): void {
  if (waitMs === 0) return
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  const wait = retryAfterSeconds < 90 ? `${retryAfterSeconds} s` : `${Math.ceil(retryAfterSeconds / 60)} min`
  const text = `${what} too often, try again in ${wait}`
  throw new AppError('throttled', [{ field, code: 'throttled', text }], { retryAfterSeconds })
}

/** Counts one question about `field`; throws 429 after `limit.points` within the window. */
export async function countQuestion(db: Db, key: string, limit: rules.Limit, field: string): Promise<void> {
  requireNoWait(await limits.take(db, key, limit), field, 'was asked about')
}

/** The same, but asking `what` again within the window counts no more. */
export async function countQuestionOnce(
  db: Db,
  key: string,
  what: string,
  { limit, field }: { limit: rules.Limit; field: string },
): Promise<void> {
  const counted = `${key} ${what}`
  if ((await limits.lifetimeMs(db, counted)) > 0) return
  await countQuestion(db, key, limit, field)
  await limits.keep(db, counted, limit.seconds)
}

/** Takes a place in the window of `key`. Returns 0, or the milliseconds until one is free. */
export function waitMsOf(db: Db, key: string, limit: rules.Limit): Promise<number> {
  return limits.take(db, key, limit)
}

/** Takes several places at once in the window of `key`. */
export const takePlaces = limits.takeSeveral

/** Clears failures with this name, once its owner proved their identity otherwise. Failures of a network with many names stay. */
export async function forgiveTries(tx: Tx, username: string): Promise<void> {
  await limits.forgetBelow(tx, signInKey(username))
}

/** Counts a sign-in of somebody who knew the password. Throws 429 beyond what programs need. */
export async function countSignIn(db: Db, userId: number): Promise<void> {
  for (const limit of rules.signInsOfAccount)
    requireNoWait(await limits.take(db, `sign-ins of ${userId} in ${limit.seconds}`, limit), 'username', 'signed in')
}

/**
 * Whether a failed sign-in is logged: those with names that no account has only up to a number from one neighbourhood. Takes the same steps for every
 * name.
 */
export async function isFailureLogged(db: Db, userId: number | null, { ip }: Origin): Promise<boolean> {
  const counted = userId === null ? `unknown names near ${rules.neighbourhoodOf(ip)}` : `failures of ${userId}`
  const isOver = (await limits.take(db, counted, rules.unknownNamesLogged)) > 0
  if (userId !== null || !isOver) return true
  await limits.keep(db, `unlogged near ${rules.neighbourhoodOf(ip)}`, 1) // as slow as the line
  return false
}

/** True when this network, or those beside it, asked about too many names; from then on replies do not reveal which exist. */
export async function countReset(db: Db, ip: string): Promise<boolean> {
  const ofNetwork = await limits.take(db, `reset from ${rules.networkOf(ip)}`, rules.resetsOfNetwork)
  const near = await limits.take(db, `reset near ${rules.neighbourhoodOf(ip)}`, rules.resetsOfNeighbourhood)
  return ofNetwork > 0 || near > 0
}

/** When the requested mail is sent: in `inSeconds`, or together with one already queued (`queue` false). */
export type MailTime = { queue: boolean; inSeconds: number }

/**
 * However many ask at once, one mail is sent; the next follows as soon as the gap is over. Nobody is refused, and asking for somebody else
 * costs them nothing. `who`: a name, or a browser that signed in before.
 */
export async function mailTime(db: Db, who: string): Promise<MailTime> {
  const key = `reset ${who}`
  const before = await limits.counted(db, key)
  const waitMs = await limits.take(db, `${key} gap`, { points: 1, seconds: rules.resetMailGapSeconds(before + 1) })
  if (waitMs === 0) {
    await limits.count(db, key, rules.resetMailsKeptSeconds)
    return { queue: true, inSeconds: 0 }
  }
  const inSeconds = Math.ceil(waitMs / 1000)
  const queuedMs = await limits.take(db, `${key} queued`, { points: 1, seconds: inSeconds })
  if (queuedMs > 0) return { queue: false, inSeconds: Math.ceil(queuedMs / 1000) }
  const mails = await limits.count(db, key, rules.resetMailsKeptSeconds)
  await limits.keep(db, `${key} gap`, inSeconds + rules.resetMailGapSeconds(mails))
  return { queue: true, inSeconds }
}

export const signInKey = (username: string): string => `login ${hashOfName(username)}`

export function hashOfName(username: string): string {
  return createHash('sha256').update(username.toLowerCase()).digest('base64url')
}
