import { Client } from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { StandbyPair } from '../../testing/standby.ts'
import { polling } from '../../testing/timeouts.ts'
import { isDatabaseUnreachable } from './unreachable.ts'
import { kyselyOver, openPool } from '../pool.ts'
import { startStandbyCheck } from '../../standby-check.ts'
import { DatabaseClient } from './client.ts'
import { standbyFault } from './standby.ts'

const pair = await StandbyPair.start()
const opened = (url: string, max = 2) => {
  const pool = openPool({ connectionString: url, max, name: 'servers-test' }, () => {})
  atEndOfFile(() => pool.end())
  return pool
}
const at = (port: number): string => pair.primary.url().replace(/:\d+\//, `:${port}/`)
const portOf = async (pool: ReturnType<typeof opened>): Promise<number> =>
  (await pool.query<{ port: number }>('select inet_server_port() as port')).rows[0]?.port ?? 0
const failureOf = (what: Promise<unknown>): Promise<unknown> =>
  what.then(
    () => null,
    (error: unknown) => error,
  )

test('of the servers in the URL the one that accepts writes is used, wherever it stands', async () => {
  const standby = pair.standby?.port ?? 0
  const reversed = pair.primary.url().replace(/@[^/]+/, `@127.0.0.1:${standby},127.0.0.1:${pair.primary.port}`)
  expect(await portOf(opened(pair.url))).toBe(pair.primary.port)
  expect(await portOf(opened(reversed))).toBe(pair.primary.port)
})

test('a standby alone is refused as a database that is away, before anything is asked of it', async () => {
  const failure = await failureOf(opened(at(pair.standby?.port ?? 0)).query('select 1'))
  expect(String(failure)).toContain('is a standby or accepts no writes')
  expect(isDatabaseUnreachable(failure)).toBe(true)
})

test('a server that accepts no writes any more fails the statement as a lost connection, which is not used again', async () => {
  const client = new DatabaseClient({ connectionString: pair.url })
  client.on('error', () => {})
  await client.connect()
  await client.query('set default_transaction_read_only = on')
  const failure = await failureOf(client.query('create table t ()'))
  expect(failure).toMatchObject({ code: '25006' })
  expect(isDatabaseUnreachable(failure)).toBe(true)
  await expect(client.query('select 1')).rejects.toThrow()
})

test('commits that wait for no standby are a fault', async () => {
  const db = kyselyOver(opened(pair.url, 1))
  expect(await standbyFault(db)).toBe(null)
  const careless = openPool(
    { connectionString: pair.url, max: 1, name: 'careless', options: '-c synchronous_commit=local' },
    () => {},
  )
  atEndOfFile(() => careless.end())
  expect(await standbyFault(kyselyOver(careless))).toBe('synchronous_commit is local: commits wait for no standby')
})

test('when the primary’s machine stands still and another is promoted, statements that wait for it fail, and the old one is never used again', async () => {
  const pool = opened(pair.url)
  const alone = opened(at(pair.primary.port))
  expect(await portOf(pool)).toBe(pair.primary.port)
  expect(await portOf(alone)).toBe(pair.primary.port)
  const old = pair.primary
  pair.signalPrimary('SIGSTOP')
  const waiting = failureOf(pool.query('select 1'))
  await pair.promote()
  expect(isDatabaseUnreachable(await waiting)).toBe(true)
  await expect.poll(() => portOf(pool).catch(() => 0), polling).toBe(pair.primary.port)

  pair.signal(old, 'SIGCONT') // it does not know that it has been replaced, and accepts writes
  const split = new Client({ connectionString: old.url() })
  split.on('error', () => {})
  await split.connect()
  atEndOfFile(() => split.end())
  expect((await split.query('select pg_is_in_recovery() as standby')).rows).toEqual([{ standby: false }])
  const before = opened(pair.url.replace(/@([^,]+),([^/]+)/, '@$2,$1'))
  expect(await portOf(before)).toBe(pair.primary.port)
  for (let n = 0; n < 5; n++) expect(await portOf(pool)).toBe(pair.primary.port)

  const write = split.query('create table only_there ()') // it waits for a standby that follows another
  await expect(Promise.race([write, new Promise((resolve) => setTimeout(resolve, 1500, 'waits'))])).resolves.toBe(
    'waits',
  )
  write.catch(() => {})
  await old.stop()
})

test('an alert is open while commits wait for no standby, and clears itself', async () => {
  const db = kyselyOver(opened(pair.url))
  const openAlerts = async () => {
    const rows = await db.selectFrom('alert').select('detail').where('cleared_at', 'is', null).execute()
    return rows.map(({ detail }) => detail)
  }
  const lookOnce = () => startStandbyCheck({ db, databaseUrl: pair.url, log: pino({ level: 'silent' }) })()
  await lookOnce() // nobody follows the server that was promoted
  await lookOnce()
  expect(await openAlerts()).toEqual(['synchronous_standby_names is empty: commits wait for no standby'])
  await pair.addStandby()
  await lookOnce()
  expect(await openAlerts()).toEqual([])
})
