import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin } from '../../testing/seed.ts'
import { alertLines, alertOver, clearAlert, raiseAlert } from './actions.ts'

const token = 'a token of the tests'
const app = await testApp({ metricsToken: token })
const actor = { viewer: null, origin: { ip: 'admin' } }
const at = new Date('2026-05-04T03:02:01Z')

async function raised(kind: string, subject: string): Promise<number> {
  const alert = { kind, subject, detail: 'the cause', at }
  return (await app.db.insertInto('alert').values(alert).returning('id').executeTakeFirstOrThrow()).id
}
beforeEach(() => app.db.deleteFrom('alert').execute())

test('alerts are listed until they are cleared, and all of them when asked for', async () => {
  const first = await raised('trunk_held', 'trunk 1')
  const second = await raised('record', 'attempt 7')
  const firstLine = `${first}  2026-05-04T03:02:01Z  trunk_held  trunk 1  the cause`
  const secondLine = `${second}  2026-05-04T03:02:01Z  record  attempt 7  the cause`
  expect(await alertLines(app.db, { cleared: false })).toEqual([firstLine, secondLine])
  const later = new Date('2026-05-04T04:00:00Z')
  expect(await clearAlert(app.db, actor, { id: first, at: later })).toBe(firstLine)
  expect(await alertLines(app.db, { cleared: false })).toEqual([secondLine])
  const cleared = `${firstLine} (cleared 2026-05-04T04:00:00Z)`
  expect(await alertLines(app.db, { cleared: true })).toEqual([cleared, secondLine])
  const log = await app.db.selectFrom('audit_log').select('action').where('target', '=', `alert ${first}`).execute()
  expect(log).toEqual([{ action: 'admin.clearAlert' }])
  await expect(clearAlert(app.db, actor, { id: first, at: later })).rejects.toMatchObject({ code: 'conflict' })
})

test('two raised at the same moment are one alert; when that is cleared, the next of the hour opens it again', async () => {
  const raise = (db = app.db, detail = 'the cause') => raiseAlert(db, 'prompt', 'campaign 3', detail)
  const waiting = async () => (await app.pool.query('select from pg_locks where not granted')).rowCount
  let second = Promise.resolve()
  await app.db.transaction().execute(async (tx) => {
    await raise(tx)
    second = raise()
    await expect.poll(waiting).toBe(1)
  })
  await second
  const alerts = async () => (await app.pool.query('select detail, times, cleared_at from alert')).rows
  expect(await alerts()).toEqual([{ detail: 'the cause', times: 1, cleared_at: null }])
  await app.pool.query('update alert set cleared_at = now()')
  await raise(app.db, 'another cause')
  expect(await alerts()).toEqual([{ detail: 'another cause', times: 2, cleared_at: null }])
})

test('all attempts of a kind in an hour are one alert, which names each and how often; the next hour has another', async () => {
  const many =
    "insert into alert (kind, subject, detail) select 'uncollected', 'attempt ' || n, n || ' paisa above its reservation' from generate_series(1, 14) n"
  await Promise.all([app.pool.query(many), app.pool.query(many)])
  const [only, ...others] = (await app.pool.query('select * from alert')).rows
  expect(others).toEqual([])
  expect(only).toMatchObject({ subject: 'attempt 1', detail: '1 paisa above its reservation', times: 14 })
  expect(only.others).toHaveLength(13)
  expect(only.others[12]).toEqual({ subject: 'attempt 14', detail: '14 paisa above its reservation' })
  await app.pool.query('update alert set hour = hour - 1')
  await raiseAlert(app.db, 'uncollected', 'attempt 15', 'the cause')
  await raiseAlert(app.db, 'record', 'attempt 15', 'the cause')
  expect((await app.pool.query('select kind, times from alert order by id')).rows).toEqual([
    { kind: 'uncollected', times: 14 },
    { kind: 'uncollected', times: 1 },
    { kind: 'record', times: 1 },
  ])
})

test('an alert about several attempts is over when each of them is', async () => {
  const open = async () =>
    (await app.pool.query('select subject, detail, others from alert where cleared_at is null')).rows
  for (const attempt of [1, 2, 3]) await raiseAlert(app.db, 'recording', `attempt ${attempt}`, `cause ${attempt}`)
  await alertOver(app.db, 'recording', 'attempt 1')
  const third = { subject: 'attempt 3', detail: 'cause 3' }
  expect(await open()).toEqual([{ subject: 'attempt 2', detail: 'cause 2', others: [third] }])
  await alertOver(app.db, 'recording', 'attempt 3')
  expect(await open()).toEqual([{ subject: 'attempt 2', detail: 'cause 2', others: [] }])
  await alertOver(app.db, 'recording', 'attempt 2')
  expect(await open()).toEqual([])
  await raiseAlert(app.db, 'recording', 'attempt 4', 'cause 4')
  expect(await open()).toEqual([{ subject: 'attempt 4', detail: 'cause 4', others: [] }])
})

test('two trunks have an alert of a kind each', async () => {
  for (const trunk of [1, 2, 1]) await raiseAlert(app.db, 'trunk_held', `trunk ${trunk}`, 'the cause')
  expect((await app.pool.query('select subject, times from alert order by id')).rows).toEqual([
    { subject: 'trunk 1', times: 1 },
    { subject: 'trunk 2', times: 1 },
  ])
})

test('an alert that is not there cannot be cleared', () =>
  expect(clearAlert(app.db, actor, { id: 999_999, at })).rejects.toMatchObject({ code: 'not_found' }))

test('/metrics counts the open alerts of each kind; one that is cleared counts no more', async () => {
  const http = await testHttp(app)
  const counted = async () => {
    const { body } = await http.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })
    return body.split('\n').filter((line) => line.startsWith('ghanti_alerts_open{'))
  }
  await raised('campaign_held', 'campaign 8')
  await raised('campaign_held', 'campaign 9')
  const held = await raised('trunk_held', 'trunk 1')
  expect((await counted()).toSorted()).toEqual([
    'ghanti_alerts_open{kind="campaign_held"} 2',
    'ghanti_alerts_open{kind="trunk_held"} 1',
  ])
  await clearAlert(app.db, actor, { id: held, at })
  expect(await counted()).toEqual(['ghanti_alerts_open{kind="campaign_held"} 2'])
})

test('the super admin sees the open ones, the cleared too when asked for, finds one by its words, and clears it once', async () => {
  const http = await testHttp(app)
  const headers = await signedIn(app, await newSuperAdmin(app))
  const list = async (query = '') => (await http.inject({ url: `/api/obd/alerts${query}`, headers })).json()
  const clear = (alertId: number) =>
    http.inject({ method: 'POST', url: '/api/obd/alert/clear', headers, payload: { alertId } })
  const [first, second] = [await raised('trunk_held', 'trunk 1'), await raised('record', 'attempt 7')]
  const row = (alertId: number, kind: string, subject: string) => ({
    alertId,
    raisedAt: '2026-05-04 08:47:01',
    kind,
    subject,
    detail: 'the cause',
    times: 1,
    others: [],
    clearedAt: null,
  })
  expect(await list()).toEqual([row(second, 'record', 'attempt 7'), row(first, 'trunk_held', 'trunk 1')])
  expect(await list('?search=TRUNK')).toEqual([row(first, 'trunk_held', 'trunk 1')])
  expect((await clear(first)).statusCode).toBe(200)
  expect((await clear(first)).json()).toMatchObject({ errors: [{ field: 'alertId', code: 'cleared' }] })
  expect((await clear(999_999)).statusCode).toBe(404)
  expect(await list()).toEqual([row(second, 'record', 'attempt 7')])
  expect(await list('?state=all')).toMatchObject([{ clearedAt: null }, { clearedAt: expect.any(String) }])
})
