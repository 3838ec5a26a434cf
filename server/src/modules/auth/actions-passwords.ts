import { hash, verify, type Options } from '@node-rs/argon2'
import { AppError } from '../../errors.ts'

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
