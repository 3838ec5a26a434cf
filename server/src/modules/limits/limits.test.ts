import { once } from 'node:events'
import * as nodeHttp from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { FairSemaphore } from '../../lib/fair-semaphore.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser, seededPassword } from '../../testing/seed.ts'
import { toneFile } from '../../testing/files/sound.ts'
import { WorkLimits } from './actions.ts'
import { workLimits, type WorkKind } from './rules.ts'

/** The others of this file have what a limit is; turns are in server/src/dispatch/turns/. */
const exhaustive = { tags: ['exhaustive'] }

const app = { ...(await testApp()), workLimits: new WorkLimits() }
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

const count = (replies: LightMyRequestResponse[], status: number) =>
  replies.filter(({ statusCode }) => statusCode === status).length
async function anotherMinute(): Promise<void> {
  await app.db.deleteFrom('rate_limit').execute()
  app.workLimits = new WorkLimits()
}

test('work of each kind begins, of an account and of a network, whether or not a minute or a day has a limit', async () => {
  const { userId } = await newUser(app)
  for (const kind of Object.keys(workLimits) as WorkKind[]) {
    const ends = [
      await app.workLimits.begin(app.db, kind, userId),
      await app.workLimits.beginOfNetwork(kind, '192.0.2.1'),
    ]
    for (const end of ends) end()
  }
})

test('as much is under way at once as the limit says, and not one more; what ends makes room', async () => {
  const { userId } = await newUser(app)
  const begin = () => app.workLimits.begin(app.db, 'contactFiles', userId)
  const ends = [await begin(), await begin()]
  expect(ends).toHaveLength(workLimits.contactFiles.atOnce)
  await expect(begin()).rejects.toMatchObject({ code: 'throttled' })
  ends[0]?.()
  ends.push(await begin())
  await expect(begin()).rejects.toMatchObject({ code: 'throttled' })
  for (const end of ends.slice(1)) end()
})

test.each([
  { what: 'two minutes ahead', aheadMs: 120_000 },
  { what: 'two minutes behind', aheadMs: -120_000 },
  { what: 'half a minute ahead', aheadMs: 30_000 },
])(
  'beside an API whose clock is $what an account begins what it may a minute, and once as much more',
  async (skewed) => {
    const { userId } = await newUser(app)
    const limits = { ...workLimits, writes: { ...workLimits.writes, perMinute: 20, perDay: 1_000_000 } }
    const [one, skew] = [new WorkLimits(limits), new WorkLimits(limits)]
    const clock = vi.spyOn(Date, 'now')
    onTestFinished(() => clock.mockRestore())
    const from = performance.timeOrigin + performance.now()
    const taken = async (of: WorkLimits, ms: number): Promise<number> => {
      clock.mockReturnValue(Math.round(from + ms))
      return await of.begin(app.db, 'writes', userId).then(
        (end) => (end(), 1),
        () => 0,
      )
    }
    let begun = 0
    const minutes = 5
    for (let ms = 0; ms < minutes * 60_000; ms += 1000)
      begun += (await taken(one, ms)) + (await taken(skew, ms + skewed.aheadMs))
    expect(begun).toBeLessThanOrEqual(20 * (minutes + 1))
  },
)

test('who has begun all that a minute admits is refused without a statement for a second', async () => {
  const { userId } = await newUser(app)
  const limits = new WorkLimits({ ...workLimits, writes: { ...workLimits.writes, perMinute: 2, perDay: 100 } })
  const begin = () => limits.begin(app.db, 'writes', userId).then((end) => end())
  const points = () => app.db.selectFrom('rate_limit').select('points').where('key', '=', `writes of ${userId}`)
  await begin()
  await begin()
  await expect(begin()).rejects.toMatchObject({ code: 'throttled' })
  const before = await points().executeTakeFirstOrThrow()
  for (let n = 0; n < 5; n++) await expect(begin()).rejects.toMatchObject({ code: 'throttled' })
  expect(await points().executeTakeFirstOrThrow()).toEqual(before)
  await anotherMinute()
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 1001)
  onTestFinished(() => clock.mockRestore())
  await begin()
})

describe('of passwords', () => {
  let hostile: Viewer
  let child: Viewer
  let headers: { authorization: string }
  beforeAll(async () => {
    hostile = await newReseller(app)
    child = await newUser(app, { parent: hostile })
    headers = await signedIn(app, hostile)
  })
  let serial = 0
  const reset = (as = headers, userId = child.userId) =>
    http.inject({
      method: 'POST',
      url: '/api/obd/pwd/reset',
      headers: as,
      payload: { userId, password: `marigold tunnel kite ${++serial}` },
    })

  test('an account that sets five hundred at once has few done, and others sign in and set theirs meanwhile', async () => {
    const neighbour = await newReseller(app)
    const theirs = await newUser(app, { parent: neighbour })
    const asNeighbour = await signedIn(app, neighbour)
    let flooded = false
    const flood = Promise.all(Array.from({ length: 500 }, () => reset())).finally(() => (flooded = true))
    const [login, other] = await Promise.all([
      http.inject({
        method: 'POST',
        url: '/api/obd/login',
        payload: { username: neighbour.username, password: seededPassword },
      }),
      reset(asNeighbour, theirs.userId),
    ])
    expect({ login: login.statusCode, other: other.statusCode }, other.body).toEqual({ login: 200, other: 200 })
    const replies = await flood
    expect(flooded).toBe(true)
    // Sessions are looked up by turns, so the last request may come after the first was done.
    const done = count(replies, 200)
    expect(done).toBeGreaterThanOrEqual(workLimits.newPasswords.atOnce)
    expect(done).toBeLessThanOrEqual(workLimits.newPasswords.perMinute)
    expect(count(replies, 429)).toBe(500 - done)
    const refused = replies.find(({ statusCode }) => statusCode === 429)
    expect(refused?.headers['retry-after']).toBe('2')
    expect(refused?.json()).toEqual({
      message: 'Request Failed!! Please try again',
      errors: [
        {
          field: 'account',
          code: 'throttled',
          text: 'One account may have 4 new passwords under way at once. Try again in 2 s',
        },
      ],
    })
  }, 60_000)

  test('thirty a minute are taken, then it says in how many seconds the next one is, and others are not counted with it', async () => {
    await anotherMinute()
    const wrong = () =>
      http.inject({
        method: 'POST',
        url: '/api/obd/pwd/reset',
        headers,
        payload: { userId: child.userId, password: 'x' },
      })
    for (let i = 0; i < workLimits.newPasswords.perMinute; i++) expect((await wrong()).statusCode).toBe(400)
    const late = await reset()
    expect(late.statusCode).toBe(429)
    const seconds = Number(late.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(late.json<{ errors: { text: string }[] }>().errors[0]?.text).toBe(
      `One account may begin 30 new passwords a minute. Try again in ${seconds} s`,
    )
    expect((await reset(await signedIn(app, await newReseller(app)))).statusCode).toBe(404)
    await anotherMinute()
    expect((await reset()).statusCode).toBe(200)
  }, 60_000)
})

const form = async (fields: Record<string, string | File>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  const body = new Response(data)
  return { type: body.headers.get('content-type') ?? '', payload: Buffer.from(await body.arrayBuffer()) }
}
async function upload(viewer: Viewer, url: string, { type, payload }: { type: string; payload: Buffer }) {
  const headers = { ...(await signedIn(app, viewer)), 'content-type': type }
  return http.inject({ method: 'POST', url, headers, payload })
}

test(
  'forty sounds of one account: four are converted, the rest say why not, and another account’s is taken meanwhile',
  { ...exhaustive, timeout: 60_000 },
  async () => {
    await anotherMinute()
    const [hostile, other] = [await newUser(app), await newUser(app)]
    const sound = (name: string) => toneFile(`${name}.wav`, 20)
    const send = async (viewer: Viewer, name: string) =>
      upload(
        viewer,
        '/api/obd/promptupload',
        await form({ fileName: name, promptCategory: 'menu', waveFile: await sound(name) }),
      )
    const flood = Promise.all(Array.from({ length: 40 }, (_, n) => send(hostile, `flood ${n}`)))
    const theirs = await send(other, 'mine')
    expect(theirs.statusCode, theirs.body).toBe(200)
    const replies = await flood
    expect([count(replies, 200), count(replies, 429), count(replies, 503)]).toEqual([4, 36, 0])
    expect(replies.find(({ statusCode }) => statusCode === 429)?.body).toContain(
      'One account may have 4 sound files under way at once. Try again in 2 s',
    )
  },
)

/** Of so many pastes at once, each of so many numbers: how much more memory they took at most, in MiB. */
async function mostOfPastes(pastes: number, numbersOfEach: number): Promise<number> {
  await anotherMinute()
  const [hostile, other] = [await newUser(app), await newUser(app)]
  const numbers = '9841000001\n'.repeat(numbersOfEach)
  const large = await form({ contactList: numbers })
  let most = 0
  const before = process.memoryUsage.rss()
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 20)
  const flood = Promise.all(Array.from({ length: pastes }, () => upload(hostile, '/api/obd/contactlist', large)))
  const theirs = await upload(other, '/api/obd/contactlist', await form({ contactList: '9841000002' }))
  expect(theirs.statusCode, theirs.body).toBe(200)
  const replies = await flood
  clearInterval(timer)
  expect(
    [count(replies, 200), count(replies, 429), count(replies, 503)],
    replies.find(({ statusCode }) => statusCode !== 429)?.body,
  ).toEqual([2, pastes - 2, 0])
  return most / 2 ** 20
}

// The sounds above are taken by the same turns.
test(
  'of twelve pastes of 4 MB by one account two are read, and another account’s meanwhile',
  { timeout: 120_000, tags: ['exhaustive'] },
  async () => {
    await mostOfPastes(12, 400_000)
  },
)

// So large that the memory shows that their bytes are on the disk. The two that are read take most of the time.
test(
  'forty pastes of 20 MB by one account: two are read, their bytes are on the disk, and another account’s is read meanwhile',
  { timeout: 120_000, tags: ['exhaustive'] },
  async () => {
    expect(await mostOfPastes(40, 1_600_000), 'MiB').toBeLessThan(700)
  },
)

test('a download is under way as long as its reader takes: a fourth one waits for one of the first three to end', async () => {
  await anotherMinute()
  const reseller = await newReseller(app)
  const headers = await signedIn(app, reseller)
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = http.server.address() as AddressInfo
  // Far more than the socket buffers hold.
  for (let n = 0; n < 40; n++) await newUser(app, { parent: reseller })
  const address = 'x'.repeat(1_000_000)
  await app.db.updateTable('users').set({ address }).where('parent_id', '=', reseller.userId).execute()
  const open = async () => {
    const request = nodeHttp.get({
      port,
      host: '127.0.0.1',
      path: `/api/obd/user/${reseller.userId}/users.csv?columns=all`,
      headers,
    })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { request, status: response.statusCode }
  }
  const three = [await open(), await open(), await open()]
  expect(three.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await open()).status).toBe(429)
  three[0]?.request.destroy()
  await expect.poll(async () => (await open()).status).toBe(200)
}, 120_000)

test(
  'an account that asks for sixty lists at once has them read by turns: another’s is answered before its twentieth',
  exhaustive,
  async () => {
    const [hostile, other] = [await newUser(app), await newUser(app)]
    const [asHostile, asOther] = [await signedIn(app, hostile), await signedIn(app, other)]
    const list = ({ userId }: Viewer, headers: { authorization: string }) =>
      http.inject({ url: `/api/obd/campaign/${userId}?pageSize=1000&search=x&sort=pendingCalls`, headers })
    let answered = 0
    let before = -Infinity
    const { run } = FairSemaphore.prototype
    // Sixty sessions are looked up before the other account's, regardless of turns. The measurement begins once its request is in line.
    const line = vi.spyOn(FairSemaphore.prototype, 'run').mockImplementation(function (
      this: FairSemaphore,
      work,
      whose,
    ) {
      if (whose === other.userId) before = answered
      return run.call(this, work, whose)
    })
    onTestFinished(() => line.mockRestore())
    const flood = Array.from({ length: 60 }, async () => {
      const { statusCode } = await list(hostile, asHostile)
      answered += 1
      return statusCode
    })
    expect((await list(other, asOther)).statusCode).toBe(200)
    expect(answered - before).toBeLessThan(20)
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200]))
  },
)

test('the same done to several rows is taken two at once and thirty a minute, also for rows of others', async () => {
  await anotherMinute()
  const [hostile, owner] = [await newUser(app), await newUser(app)]
  const campaignId = await newCampaign(app, owner, { status: 'running' })
  const headers = await signedIn(app, hostile)
  const pause = (campaignIds: number[]) =>
    http.inject({ method: 'POST', url: '/api/obd/campaigns/pause', headers, payload: { campaignIds } })
  const replies = await Promise.all(Array.from({ length: 20 }, () => pause([campaignId])))
  // Another owner's rows stay unchanged, but each reply costs as much as for one's own.
  const began = count(replies, 404)
  expect([began >= 2, began <= 8, began + count(replies, 429)]).toEqual([true, true, 20])
  for (let begun = began; begun < 30; begun++) expect((await pause([campaignId])).statusCode).toBe(404)
  expect((await pause([campaignId])).body).toContain('One account may begin 30 changes of several rows a minute')
  await anotherMinute()
  const twice = await pause([campaignId, campaignId])
  expect(twice.statusCode).toBe(400)
  expect(twice.body).toContain('names one of them twice')
})
