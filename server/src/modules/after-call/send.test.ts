import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { TestAggregator } from '../../drivers/sms/http/testing.ts'
import { testApp } from '../../testing/app.ts'
import { polling } from '../../testing/timeouts.ts'
import { newUser } from '../../testing/seed.ts'
import { changeSetting } from '../platform/actions.ts'
import { messageCounts } from './actions.ts'
import { startAfterCalls } from './actions-send.ts'
import { words } from './rules.ts'
import { newDue, testService } from './testing.ts'

const app = await testApp()
const user = await newUser(app)
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
  await app.db.deleteFrom('after_call_message').execute()
})

async function serviceOf(
  answer?: (response: ServerResponse) => void,
): Promise<{ service: TestAggregator; address: string }> {
  const service = await testService(answer)
  ends.push(() => service.close())
  const host = `127.0.0.1:${service.port}`
  await allow(host)
  return { service, address: `http://${host}/send?key=s3cret&to={PHONE}` }
}
const listed: string[] = []
async function allow(host: string): Promise<void> {
  listed.push(host)
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsAddressHosts', listed.slice(-100), null))
}
function start(): void {
  ends.push(startAfterCalls(app))
}

const states = async (campaignId: number): Promise<Record<string, number>> => {
  const rows = await app.db
    .selectFrom('after_call_message')
    .select(['state', ({ fn }) => fn.countAll<number>().as('n')])
    .where('campaign_id', '=', campaignId)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}
const reasonsOf = async (campaignId: number): Promise<(string | null)[]> => {
  const rows = await app.db
    .selectFrom('after_call_message')
    .select('reason')
    .distinct()
    .where('campaign_id', '=', campaignId)
    .execute()
  return rows.map(({ reason }) => reason)
}
const numbersSentTo = ({ asked }: TestAggregator): string[] =>
  asked.map(({ url }) => new URL(url, 'http://x').searchParams.get('to') ?? '')

test('two processes send each message once, with the ten digits of its number, five at once and ten a second', async () => {
  let underWay = 0
  let most = 0
  const { service, address } = await serviceOf((response) => {
    most = Math.max(most, ++underWay)
    setTimeout(() => {
      underWay -= 1
      response.end('OK')
    }, 30)
  })
  const begun = Date.now()
  const campaignId = await newDue(app, user, { address, rows: 25 })
  start()
  start()
  await expect.poll(() => states(campaignId), polling).toEqual({ sent: 25 })
  expect(Date.now() - begun).toBeGreaterThan(2000)
  expect(most).toBeLessThanOrEqual(5)
  const numbers = Array.from({ length: 25 }, (_, no) => String(9_800_000_000 + no))
  expect(numbersSentTo(service).toSorted()).toEqual(numbers)
  expect(service.asked[0]).toMatchObject({ method: 'GET', body: '' })
  expect(await messageCounts(app.db, campaignId)).toMatchObject([
    { sent: 25, waiting: 0, failed: 0, unknown: 0, cancelled: 0 },
  ])
})

test('ten requests of one account are sent among the two hundred of another to the same host', async () => {
  const { service, address } = await serviceOf()
  const many = await newDue(app, user, { address, rows: 200 })
  const other = await newUser(app)
  const few = await newDue(app, other, { address, rows: 10 })
  start()
  await expect.poll(() => states(few), polling).toEqual({ sent: 10 })
  expect((await states(many))['sent']).toBeLessThan(40)
  expect(service.asked.length).toBeLessThan(50)
})

test.each<{ why: string; answer: (response: ServerResponse) => void; state: string; reason: string | null }>([
  { why: 'taken', answer: (response) => void response.writeHead(202).end('queued'), state: 'sent', reason: null },
  {
    why: 'taken, with an answer without end',
    answer: (response) => void response.writeHead(200).end('x'.repeat(200_000)),
    state: 'sent',
    reason: null,
  },
  {
    why: 'taken, with an answer that unpacks to ten megabytes',
    answer: (response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000, ' '))),
    state: 'sent',
    reason: null,
  },
  {
    why: 'an answer that trickles without end',
    answer: (response) => {
      const trickle = setInterval(() => response.write('x'), 100)
      response.on('close', () => clearInterval(trickle)).writeHead(200)
    },
    state: 'unknown',
    reason: words.slow,
  },
  {
    why: 'refused',
    answer: (response) => void response.writeHead(404).end(),
    state: 'failed',
    reason: words.answered(404),
  },
  {
    why: 'led elsewhere, where nobody goes',
    answer: (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    state: 'failed',
    reason: words.redirected(302),
  },
  {
    why: 'a fault',
    answer: (response) => void response.writeHead(500).end(),
    state: 'unknown',
    reason: words.fault(500),
  },
  { why: 'cut off', answer: (response) => void response.destroy(), state: 'unknown', reason: words.cut },
  {
    why: 'another protocol',
    answer: (response) =>
      void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    state: 'unknown',
    reason: words.cut,
  },
  { why: 'no answer', answer: () => undefined, state: 'unknown', reason: words.slow },
])('what comes of a message: $why', async ({ answer, state, reason }) => {
  const { service, address } = await serviceOf(answer)
  const campaignId = await newDue(app, user, { address, rows: 1 })
  start()
  await expect.poll(() => states(campaignId), polling).toEqual({ [state]: 1 })
  expect(await reasonsOf(campaignId)).toEqual([reason])
  expect(service.asked).toHaveLength(1)
})

test('a request that did not reach its host is tried again, and sent once the host answers', async () => {
  const { service, address } = await serviceOf()
  const { port } = service
  await service.close()
  const campaignId = await newDue(app, user, { address, rows: 1 })
  start()
  await expect.poll(() => reasonsOf(campaignId), polling).toEqual([words.again('connection refused')])
  const back = await TestAggregator.listen((_asked, response) => void response.end('OK'), port)
  ends.push(() => back.close())
  await dueNow(campaignId)
  await expect.poll(() => states(campaignId), polling).toEqual({ sent: 1 })
  expect(numbersSentTo(back)).toEqual(['9800000000'])
  expect(await reasonsOf(campaignId)).toEqual([null])
})

test('a request that did not reach its host five times has failed', async () => {
  const { service, address } = await serviceOf()
  await service.close()
  const campaignId = await newDue(app, user, { address, rows: 1 })
  await app.db.updateTable('after_call_message').set({ tries: 4 }).where('campaign_id', '=', campaignId).execute()
  start()
  await expect.poll(() => states(campaignId), polling).toEqual({ failed: 1 })
  expect(await reasonsOf(campaignId)).toEqual([words.unreachable('connection refused')])
})

async function dueNow(campaignId: number): Promise<void> {
  await app.db
    .updateTable('after_call_message')
    .set({ due_at: new Date() })
    .where('campaign_id', '=', campaignId)
    .execute()
}

const isOver = (campaignId: number, state: string) =>
  expect.poll(() => states(campaignId), polling).toEqual({ [state]: 1 })

test('nothing leaves for a number that was blacklisted since, a landline, a campaign that was stopped, or a host that is allowed no more', async () => {
  const { service, address } = await serviceOf()
  const blacklisted = await newDue(app, user, { address, rows: 1 })
  await app.db
    .updateTable('campaign_contact')
    .set({ phone: 9_779_812_345_678 })
    .where('campaign_id', '=', blacklisted)
    .execute()
  await app.db.insertInto('blacklist').values({ owner_id: user.userId, phone: 9_779_812_345_678 }).execute()
  const landline = await newDue(app, user, { address, rows: 1 })
  await app.db
    .updateTable('campaign_contact')
    .set({ phone: 97_715_970_001 })
    .where('campaign_id', '=', landline)
    .execute()
  const stopped = await newDue(app, user, { address, rows: 1 })
  await app.db.updateTable('campaign').set({ status: 'cancelled' }).where('id', '=', stopped).execute()
  const elsewhere = await newDue(app, user, { address: 'http://127.0.0.1:1/{PHONE}', rows: 1 })
  const far = await newDue(app, user, { address: 'http://sms.example.com/{PHONE}', rows: 1 })
  start()
  await isOver(blacklisted, 'cancelled')
  await isOver(landline, 'failed')
  await isOver(stopped, 'cancelled')
  await isOver(elsewhere, 'failed')
  await isOver(far, 'failed')
  expect(await reasonsOf(blacklisted)).toEqual([words.onBlacklist])
  expect(await reasonsOf(landline)).toEqual([words.landline])
  expect(await reasonsOf(stopped)).toEqual([words.campaignStopped])
  expect(await reasonsOf(elsewhere)).toEqual([words.notAllowed])
  expect(await reasonsOf(far)).toEqual([words.notAllowed])
  expect(service.asked).toEqual([])
})

test('messages of an account that is disabled, or whose messages are stopped, wait until that is lifted', async () => {
  const { service, address } = await serviceOf()
  const other = await newUser(app)
  const disabled = await newUser(app)
  const [stopped, held] = [
    await newDue(app, other, { address, rows: 1 }),
    await newDue(app, disabled, { address, rows: 1 }),
  ]
  const { id } = await app.db
    .insertInto('dial_block')
    .values({
      kind: 'account',
      target_id: other.userId,
      what: 'messages',
      reason: 'Complaints',
      by_user_id: user.userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db
    .updateTable('users')
    .set({ disabled_at: new Date(), disabled_reason: 'Fraud' })
    .where('id', '=', disabled.userId)
    .execute()
  const passes = await newDue(app, user, { address, rows: 1 })
  start()
  await expect.poll(() => states(passes), polling).toEqual({ sent: 1 })
  expect(service.asked).toHaveLength(1)
  await app.db
    .updateTable('dial_block')
    .set({ lifted_at: new Date(), lifted_by: user.userId })
    .where('id', '=', id)
    .execute()
  await app.db
    .updateTable('users')
    .set({ disabled_at: null, disabled_reason: null })
    .where('id', '=', disabled.userId)
    .execute()
  await expect.poll(() => states(stopped), polling).toEqual({ sent: 1 })
  await expect.poll(() => states(held), polling).toEqual({ sent: 1 })
})

test('a request that was due for a day is no longer sent, and one that a dead process had begun is unknown', async () => {
  const { service, address } = await serviceOf()
  const late = await newDue(app, user, { address, rows: 3 })
  const old = new Date(Date.now() - 25 * 3600_000)
  await app.db.updateTable('after_call_message').set({ due_at: old }).where('campaign_id', '=', late).execute()
  const begun = await newDue(app, user, { address, rows: 2 })
  const begunAt = { state: 'sending', begun_at: new Date(Date.now() - 60_000), tries: 1 } as const
  await app.db.updateTable('after_call_message').set(begunAt).where('campaign_id', '=', begun).execute()
  start()
  await expect.poll(() => states(late), polling).toEqual({ failed: 3 })
  await expect.poll(() => states(begun), polling).toEqual({ unknown: 2 })
  expect([await reasonsOf(late), await reasonsOf(begun)]).toEqual([[words.late], [words.stopped]])
  expect(service.asked).toEqual([])
  expect(await messageCounts(app.db, begun)).toMatchObject([{ unknown: 2, waiting: 0 }])
})
