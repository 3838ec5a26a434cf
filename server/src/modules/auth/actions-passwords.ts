import { hash, verify, type Options } from '@node-rs/argon2'
import { wordsAtHand, type NamesAtHand, type PasswordFault } from '@ghanti/contract/passwords.ts'
import type { Db } from '../../db/db.ts'
import { badField } from '../../errors.ts'
import type { Whose } from '../../lib/fair-queue.ts'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import { faultForAccount, faultForLink } from './worker.ts'
import * as store from './store.ts'

/** argon2id (2), 19 MiB, two passes: 20 ms. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Who signs in: a browser or network that did so before, or anybody else (actions-turns.ts). */
export type Lane = 'known' | 'strangers'

/**
 * Hashing shares four threads with files and DNS, so at most two run at once (docs/design.md#passwords). Known browsers, strangers and new passwords
 * take turns: a flood of one holds up none of the others.
 */
const hashesAtOnce = 2
const hashing = new FairSemaphore(hashesAtOnce)
/** Each account may queue only a few at once (modules/limits). */
const newPasswords = new FairSemaphore(hashesAtOnce)

export function hashPassword(password: string, whose: Whose): Promise<string> {
  return newPasswords.run(() => hashing.run(() => hash(password, options), 'new password'), whose)
}

let ofNobody: Promise<string> | undefined

/** No hash (an unknown name, a password that is void) takes as long as a wrong password. */
export async function verifyPassword(passwordHash: string | null, password: string, lane: Lane): Promise<boolean> {
  ofNobody ??= hash('the password of nobody', options)
  const against = passwordHash || (await ofNobody)
  const same = await hashing.run(() => verify(against, password), lane)
  return same && Boolean(passwordHash)
}

export const passwordFaultTexts: Readonly<Record<PasswordFault, string>> = {
  guessable: 'is easy to guess: use several words that have nothing to do with each other',
  names: 'is made of names that others know: of the account, its owner or the company',
}

type FaultOf = (password: string, words: readonly string[]) => Promise<PasswordFault | null>

/** Who sets the password: a signed-in account, or the holder of a mailed link, who does not queue behind the accounts above. */
type Setter = { account: Whose } | { linkOf: Whose }

/** Throws 400 for a password that is widely known or derived from the account's names. */
export async function requireStrong(db: Db, userId: number, password: string, by: Setter): Promise<void> {
  await refuseWeak(password, await store.namesAtHand(db, userId), (password, words) =>
    'account' in by ? faultForAccount({ password, words }, by.account) : faultForLink({ password, words }, by.linkOf),
  )
}

/** The same for an account that is about to be created. */
export async function requireStrongBelow(db: Db, parentId: number, password: string, names: NamesAtHand) {
  const { company } = await store.namesAtHand(db, parentId)
  const named = { ...names, parentCompany: company }
  await refuseWeak(password, named, (password, words) => faultForAccount({ password, words }, parentId))
}

async function refuseWeak(password: string, names: NamesAtHand, faultOf: FaultOf): Promise<void> {
  const fault = await faultOf(password, wordsAtHand(names))
  if (fault !== null) throw badField('password', passwordFaultTexts[fault], fault)
}
