import { CompiledQuery, sql } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Db } from '../../db/db.ts'
import type { Limit } from './rules-throttle.ts'

/** The client that the library expects, over our connection. It counts by the process's clock, in milliseconds. */
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

/** Adds one and returns the count within the window; exact across processes. */
export async function count(db: Db, key: string, seconds: number): Promise<number> {
  return (await limiter(db, { points: 1, seconds }).penalty(key)).consumedPoints
}

export async function counted(db: Db, key: string): Promise<number> {
  return (await limiter(db, { points: 1, seconds: 1 }).get(key))?.consumedPoints ?? 0
}

/** Takes a place in the window. Returns 0, or the milliseconds until one is free. */
export async function take(db: Db, key: string, limit: Limit): Promise<number> {
  try {
    await limiter(db, limit).consume(key)
    return 0
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, refused.msBeforeNext)
    throw refused
  }
}

/** Takes several places in the window. Returns whether they were free, and the milliseconds until the window ends. */
export async function takeSeveral(db: Db, key: string, limit: Limit, places: number) {
  const taken = await limiter(db, limit)
    .consume(key, places)
    .catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    })
  return { isFree: taken.consumedPoints <= limit.points, msLeft: Math.max(1, taken.msBeforeNext) }
}

/** Milliseconds until each of the keys expires; 0 when it does not exist. */
export async function lifetimesMs<const Keys extends readonly string[]>(
  db: Db,
  keys: Keys,
): Promise<{ [N in keyof Keys]: number }> {
  const now = Date.now()
  const rows = await db.selectFrom('rate_limit').select(['key', 'expire']).where('key', 'in', keys).execute()
  const expires = new Map(rows.map(({ key, expire }) => [key, expire ?? 0]))
  return keys.map((key) => Math.max(0, (expires.get(key) ?? 0) - now)) as { [N in keyof Keys]: number }
}

/** After a right password, in one statement, because people wait for it: forgets some keys, gives back a place in others, and keeps some. */
export async function settleRight(
  db: Db,
  {
    forgotten,
    givenBack,
    kept,
  }: { forgotten: readonly string[]; givenBack: readonly string[]; kept: readonly { key: string; seconds: number }[] },
): Promise<void> {
  const now = Date.now()
  await sql`with forgotten as (delete from rate_limit where key = any (${forgotten}::text[])),
    given_back as (update rate_limit set points = points - 1 where key = any (${givenBack}::text[]) and expire > ${now})
    insert into rate_limit (key, points, expire)
    select kept.key, 1, ${now}::bigint + 1000 * kept.seconds
    from unnest(${kept.map(({ key }) => key)}::text[], ${kept.map(({ seconds }) => seconds)}::bigint[]) as kept (key, seconds)
    on conflict (key) do update set points = excluded.points, expire = excluded.expire`.execute(db)
}

export async function giveBack(db: Db, key: string, seconds: number): Promise<void> {
  await limiter(db, { points: 1, seconds }).reward(key)
}

/** Milliseconds until `key` expires; 0 when it does not exist. */
export async function lifetimeMs(db: Db, key: string): Promise<number> {
  const [ms] = await lifetimesMs(db, [key])
  return ms
}

export async function keep(db: Db, key: string, seconds: number): Promise<void> {
  await limiter(db, { points: 1, seconds }).set(key, 1, seconds)
}

/** Deletes every key that starts with `prefix` and a space. */
export async function forgetBelow(db: Db, prefix: string): Promise<void> {
  await db
    .deleteFrom('rate_limit')
    .where('key', '>=', `${prefix} `)
    .where('key', '<', `${prefix}!`) // the character after the space
    .execute()
}

/** Uses the database's clock, which the processes' clocks are close to. */
export async function deleteExpired(db: Db): Promise<void> {
  await db
    .deleteFrom('rate_limit')
    .where('expire', '<=', sql<number>`extract(epoch from now())::bigint * 1000`)
    .execute()
}
