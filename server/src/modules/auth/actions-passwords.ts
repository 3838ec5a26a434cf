import { hash, verify, type Options } from '@node-rs/argon2'
import { wordsAtHand, type NamesAtHand, type PasswordFault } from '@ghanti/contract/passwords.ts'
import type { Db } from '../../db/db.ts'
import { AppError, badField } from '../../errors.ts'
import { judgeForAccount, judgeForLink } from '../../workers/password-worker.ts'
import * as store from './store.ts'

/** argon2id (2), 19 MiB, two passes: 20 ms. */
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const hashesAtOnceMax = 2
const hashesWaitingMax = 100

let running = 0
const waiting: (() => void)[] = []

/** Hashing runs on the four threads that files and DNS need too, so at most two at once; a long queue answers 503 (DESIGN §5). */
async function gated<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= hashesWaitingMax) throw new AppError('not_ready', [], { retryAfterSeconds: 2 })
  if (running >= hashesAtOnceMax) await new Promise<void>((turn) => waiting.push(turn))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift() // hands its place on: `running` stays
    if (next) next()
    else running--
  }
}

export function hashPassword(password: string): Promise<string> {
  return gated(() => hash(password, options))
}

let ofNobody: Promise<string> | undefined

/** `passwordHash` null: nobody has that name; takes as long as a wrong password. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  ofNobody ??= hashPassword('the password of nobody')
  const against = passwordHash ?? (await ofNobody)
  const same = await gated(() => verify(against, password))
  return same && passwordHash !== null
}

export const passwordFaultTexts: Readonly<Record<PasswordFault, string>> = {
  guessable: 'is easy to guess: use several words that have nothing to do with each other',
  names: 'is made of names that others know: of the account, its owner or the company',
}

type Judge = typeof judgeForAccount

/** 400 for a new password of an account that is among known ones or made of the names at hand. `byLink`: whoever sets it was mailed a link. */
export async function requireStrong(db: Db, userId: number, password: string, { byLink = false } = {}): Promise<void> {
  await judged(password, await store.namesAtHand(db, userId), byLink ? judgeForLink : judgeForAccount)
}

/** The same for an account that is about to be made. */
export async function requireStrongBelow(db: Db, parentId: number, password: string, names: NamesAtHand) {
  const { company } = await store.namesAtHand(db, parentId)
  await judged(password, { ...names, parentCompany: company }, judgeForAccount)
}

async function judged(password: string, names: NamesAtHand, judge: Judge): Promise<void> {
  const fault = await judge({ password, words: wordsAtHand(names) })
  if (fault !== null) throw badField('password', passwordFaultTexts[fault], fault)
}
