import { sql } from 'kysely'
import { Client } from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { testApp, type TestApp } from '../../testing/app.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin } from '../../testing/seed.ts'
import { StandbyPair } from '../../testing/standby.ts'
import { polling } from '../../testing/timeouts.ts'
import { readBehind } from './replica-reads.ts'
import { kyselyOver, openPool } from '../pool.ts'
import { Replica } from './replica.ts'

const pair = await StandbyPair.start()
const { url } = pair
const pool = openPool({ connectionString: url, max: 4, name: 'replica-test' }, () => {})
const primary = kyselyOver(pool)
const replica = new Replica({
  url: pair.standby?.url() ?? '',
  primaryUrl: url,
  primary,
  behindMsMax: 3000,
  poolMax: 2,
  log: pino({ level: 'silent' }),
})
atEndOfFile(async () => {
  await replica.close()
  await pool.end()
})
const app: TestApp = { ...(await testApp()), db: primary, pool, databaseUrl: url, replica }
const http = await testHttp(app)

async function onStandby(query: string): Promise<void> {
  const client = new Client({ connectionString: pair.standby?.url() })
  await client.connect()
  await client.query(query)
  await client.end()
}
const isFresh = () => replica.isFresh
const isOnStandby = async (): Promise<boolean> =>
  await replica.read(async (db) => {
    const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db)
    return rows[0]?.standby ?? false
  })

test('the search of the credits history is read from the replica while it is not too far behind, the newest lines and everything else from the primary', async () => {
  const admin = await newSuperAdmin(app)
  const reseller = await newReseller(app, { parent: admin })
  await expect.poll(isFresh, polling).toBe(true)
  expect(await isOnStandby()).toBe(true)
  const shown = async (search: string): Promise<number> => {
    const headers = await signedIn(app, reseller)
    const reply = await http.inject({
      url: `/api/obd/credits/history/user/${reseller.userId}?search=${search}`,
      headers,
    })
    expect(reply.statusCode, reply.body).toBe(200)
    return (reply.json() as unknown[]).length
  }
  await onStandby('select pg_wal_replay_pause()')
  const payload = { userId: reseller.userId, credits: 77, reference: 'Invoice 7' }
  const added = await http.inject({
    method: 'POST',
    url: '/api/obd/credits/add',
    headers: await signedIn(app, admin),
    payload,
  })
  expect(added.statusCode, added.body).toBe(200)
  expect([await shown(''), await shown('Invoice')]).toEqual([1, 0])
  await expect.poll(() => shown('Invoice'), polling).toBe(1) // the replica is too far behind by now
  expect([isFresh(), await isOnStandby()]).toEqual([false, false])
  await onStandby('select pg_wal_replay_resume()')
  await expect.poll(isFresh, polling).toBe(true)
  expect([await shown('Invoice'), await isOnStandby()]).toEqual([1, true])
})

test('a file that is kept is made from the replica only once it shows everything that was committed before', async () => {
  await expect.poll(isFresh, polling).toBe(true)
  expect(await replica.forThread()).toEqual({ databaseUrl: pair.standby?.url(), isReplica: true })
  await onStandby('select pg_wal_replay_pause()')
  const waiting = replica.forThread()
  await onStandby('select pg_wal_replay_resume()')
  expect((await waiting).isReplica).toBe(true)
  await onStandby('select pg_wal_replay_pause()')
  expect(await replica.forThread()).toEqual({ databaseUrl: url, isReplica: false })
  await onStandby('select pg_wal_replay_resume()')
})

test('what the replica cannot do is done on the primary, and after a promotion lists go on', async () => {
  await expect.poll(isFresh, polling).toBe(true)
  await readBehind(app, (db) => sql`create temporary table what_a_standby_refuses ()`.execute(db))
  pair.signalPrimary('SIGKILL')
  await pair.promote()
  const accounts = () => readBehind(app, (db) => db.selectFrom('account').select('id').execute())
  await expect
    .poll(
      () =>
        accounts().then(
          (rows) => rows.length,
          () => 0,
        ),
      polling,
    )
    .toBeGreaterThan(0)
})
