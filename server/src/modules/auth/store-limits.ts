import { CompiledQuery, sql } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../../db/db.ts'
import type { Limit } from './rules-throttle.ts'

/** What the library needs of a client, over any connection of ours. Its times are the process's own clock, in milliseconds. */
function clientOver(db: Db) {
  return {
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
    },
  }
}

function limiter(db: Db, { points, seconds }: Limit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: clientOver(db),
    storeType: 'client',
    tableName: 'rate_limit',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: '',
    points,
    duration: seconds,
  })
}

/** Counts one more of `key` and answers how many there are in its window of `seconds`: exact for any number of processes. */
export async function count(db: Db, key: string, seconds: number): Promise<number> {
  return (await limiter(db, { points: 1, seconds }).penalty(key)).consumedPoints
}

/** How many there are in the window of `key`. */
export async function counted(db: Db, key: string): Promise<number> {
  return (await limiter(db, { points: 1, seconds: 1 }).get(key))?.consumedPoints ?? 0
}

/** Takes one of the places of a window; answers for how many milliseconds there is none, 0 when one was taken. */
export async function take(db: Db, key: string, limit: Limit): Promise<number> {
  try {
    await limiter(db, limit).consume(key)
    return 0
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
    throw refused
  }
}

/** What was counted or taken and should not have been. */
export async function giveBack(db: Db, key: string, seconds: number): Promise<void> {
  await limiter(db, { points: 1, seconds }).reward(key)
}

/** For how many milliseconds `key` stays; 0 when it is not there. */
export async function lifetimeMs(db: Db, key: string): Promise<number> {
  return (await limiter(db, { points: 1, seconds: 1 }).get(key))?.msBeforeNext ?? 0
}

/** Keeps `key` for so long from now on, whatever it was before. */
export async function keep(db: Db, key: string, seconds: number): Promise<void> {
  await limiter(db, { points: 1, seconds }).set(key, 1, seconds)
}

export async function forget(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('rate_limit').where('key', 'in', keys).execute()
}

/** Every key that begins with `prefix` and a blank. */
export async function forgetBelow(db: Db, prefix: string): Promise<void> {
  await db
    .deleteFrom('rate_limit')
    .where('key', '>=', `${prefix} `)
    .where('key', '<', `${prefix}!`) // the next character after the blank
    .execute()
}

/** By the database's clock: those of the processes are near it. */
export async function deleteExpired(db: Db): Promise<void> {
  await db
    .deleteFrom('rate_limit')
    .where('expire', '<=', sql<number>`extract(epoch from now())::bigint * 1000`)
    .execute()
}
