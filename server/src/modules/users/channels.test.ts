import { messages } from '@ghanti/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { userHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer

beforeAll(async () => {
  http = await testHttp(app, { handlers: { users: userHandlers } })
  boss = await newSuperAdmin(app)
})

type Said = { message: string; errors?: { field: string; text: string }[] }

async function post(viewer: Viewer, path: string, payload: Record<string, unknown>) {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ method: 'POST', url: `/api/obd/${path}`, headers, payload })
  const { message, errors = [] } = reply.json<Said>()
  return { status: reply.statusCode, message, errors: errors.map(({ field, text }) => `${field} ${text}`) }
}
const change = (viewer: Viewer, { userId }: Viewer, channels: unknown) =>
  post(viewer, 'user/channels', { userId, channels })

async function channelsOf({ userId }: Viewer): Promise<unknown> {
  const headers = await signedIn(app, boss)
  return (await http.inject({ url: `/api/obd/user/channels/${userId}`, headers })).json()
}

describe('the channels of an account', () => {
  test('are changed by its parent alone, and nothing else of it is', async () => {
    const parent = await newReseller(app, { parent: boss, channels: 100 })
    const child = await newUser(app, { parent, channels: 30 })
    const before = await app.db.selectFrom('users').selectAll().where('id', '=', child.userId).executeTakeFirst()
    expect(await change(parent, child, 5)).toMatchObject({ status: 200, message: messages.success })
    expect(await channelsOf(child)).toEqual({ userChannels: 0, channels: 5, free: 5 })
    expect(await channelsOf(parent)).toEqual({ userChannels: 5, channels: 100, free: 95 })
    const after = await app.db.selectFrom('users').selectAll().where('id', '=', child.userId).executeTakeFirst()
    expect(after).toEqual(before)
    const logged = await app.db
      .selectFrom('audit_log')
      .select(['action', 'detail'])
      .where('target', '=', `user ${child.userId}`)
      .execute()
    expect(logged).toEqual([
      {
        action: 'user.channels',
        detail: { username: child.username, before: { channels: 30 }, after: { channels: 5 } },
      },
    ])
  })

  test('are neither more than the parent has left nor fewer than the accounts below have; nothing is half done', async () => {
    const parent = await newReseller(app, { parent: boss, channels: 100 })
    const one = await newReseller(app, { parent, channels: 40 })
    await newUser(app, { parent, channels: 40 })
    await newUser(app, { parent: one, channels: 25 })
    expect(await change(parent, one, 61)).toEqual({
      status: 400,
      message: messages.channelLimit,
      errors: ['channels are more than the 60 that are free'],
    })
    expect(await change(parent, one, 24)).toEqual({
      status: 400,
      message: messages.badInput,
      errors: ['channels are fewer than the 25 that the accounts below have'],
    })
    expect(await channelsOf(one)).toEqual({ userChannels: 25, channels: 40, free: 15 })
    expect(await change(parent, one, 60)).toMatchObject({ status: 200 })
    expect(await change(parent, one, 25)).toMatchObject({ status: 200 })
  })

  test('a super admin gives as many as are asked for', async () => {
    const child = await newReseller(app, { parent: boss, channels: 10 })
    expect(await change(boss, child, 100_000)).toMatchObject({ status: 200 })
    expect(await change(boss, child, 100_001)).toMatchObject({
      status: 400,
      errors: ['channels must be a whole number from 1 to 100000'],
    })
  })

  test.each([
    { channels: undefined, text: 'is required' },
    ...[0, -1, 1.5, 'many'].map((channels) => ({ channels, text: 'must be' })),
  ])('$channels: refused, naming the field', async ({ channels, text }) => {
    const parent = await newReseller(app, { parent: boss, channels: 100 })
    const child = await newUser(app, { parent, channels: 30 })
    const { status, errors } = await change(parent, child, channels)
    expect([status, errors.length]).toEqual([400, 1])
    expect(errors[0]).toContain(`channels ${text}`)
    expect(await channelsOf(child)).toMatchObject({ channels: 30 })
  })

  test('of ten changes and creations at once, the accepted ones fit into the parent’s channels', async () => {
    const parent = await newReseller(app, { parent: boss, channels: 100, planId: await newPlan(app) })
    const planId = await newPlan(app, { owner: parent })
    const children = await Promise.all(Array.from({ length: 4 }, () => newUser(app, { parent, channels: 10 })))
    const person = {
      name: 'Gita',
      emailid: 'gita@example.com',
      number: '9841000001',
      company: 'Himal',
      userType: 'user',
    }
    const register = (username: string) =>
      post(parent, 'register', {
        ...person,
        address: 'Ilam',
        pincode: '57300',
        accountType: 0,
        planId,
        username,
        password: 'xk7Qp2!v',
      })
    const replies = await Promise.all([
      ...children.map((child) => change(parent, child, 40)),
      ...children.map((child) => change(parent, child, 35)),
      register('at once 1'),
      register('at once 2'),
    ])
    expect(replies.map(({ status }) => status)).toContain(400)
    const { userChannels } = (await channelsOf(parent)) as { userChannels: number }
    expect(userChannels).toBeLessThanOrEqual(100)
    const refused = replies.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ message }) => message))).toEqual(new Set([messages.channelLimit]))
  })

  test('a child that gives to an account below while its own are taken never gives more than it has', async () => {
    const parent = await newReseller(app, { parent: boss, channels: 100 })
    const child = await newReseller(app, { parent, channels: 50 })
    const below = await newUser(app, { parent: child, channels: 10 })
    await Promise.all([change(parent, child, 20), change(child, below, 45)])
    const { userChannels, channels } = (await channelsOf(child)) as { userChannels: number; channels: number }
    expect(userChannels).toBeLessThanOrEqual(channels)
  })
})
