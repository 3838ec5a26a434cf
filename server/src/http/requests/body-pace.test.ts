import { mebibyte } from '@ghanti/contract/values.ts'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { listedRoutes } from '../../testing/requests.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { BodyPace, bytesPerSecond } from './body-pace.ts'

function pace(): { waited: number[]; take: (owner: string, bytes: number) => Promise<void> } {
  const waited: number[] = []
  let now = 1000
  const of = new BodyPace(
    () => now,
    async (ms) => {
      waited.push(ms)
      now += ms
    },
  )
  return { waited, take: (owner, bytes) => of.take(owner, bytes) }
}

test('what one owner sends without a pause is taken at the pace, and a first small file at once', async () => {
  const { waited, take } = pace()
  await take('one', mebibyte)
  expect(waited).toEqual([])
  for (let n = 0; n < 160; n++) await take('one', mebibyte / 10)
  const ms = waited.reduce((sum, each) => sum + each, 0)
  expect(ms).toBeCloseTo(((17 * mebibyte) / bytesPerSecond) * 1000 - 250, 0)
})

test('what one owner sends keeps no other owner waiting', async () => {
  const { waited, take } = pace()
  await take('one', 20 * mebibyte)
  const before = waited.length
  await take('another', mebibyte)
  expect(waited).toHaveLength(before)
})

const app = await testApp()
const people = await Promise.all([newSuperAdmin(app), newReseller(app), newUser(app)])
const taken = new Map<string, number>()
const counting = new BodyPace()
vi.spyOn(counting, 'take').mockImplementation(async (owner, bytes) => {
  taken.set(owner, (taken.get(owner) ?? 0) + bytes)
})
const http = await testHttp(app, { pace: counting })
const uploads = listedRoutes.filter(({ route }) => route.kind === 'upload')

test.each(uploads)('$key takes its files at the pace of the account that sends them', async ({ route }) => {
  taken.clear()
  const files = Object.keys(route.files)
  const bytes = 50_000
  for (const viewer of people) {
    const form = new FormData()
    for (const name of files) form.append(name, new File([','.repeat(bytes)], 'commas.csv'))
    const body = new Response(form)
    const reply = await http.inject({
      method: 'POST',
      url: route.path.replaceAll(/:\w+/g, String(viewer.userId)),
      headers: { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' },
      payload: Buffer.from(await body.arrayBuffer()),
    })
    const isAllowed = reply.statusCode !== 403
    expect(taken.get(`account ${viewer.userId}`)).toBe(isAllowed ? files.length * bytes : undefined)
  }
  expect(taken.size).toBeGreaterThan(0)
})
