import { apiExamples, type ApiExample } from '@ghanti/contract/api-examples.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { routes } from '@ghanti/contract/routes.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { TestAggregator } from '../../drivers/sms/http/testing.ts'
import { startHooks } from '../../modules/hooks/actions-send.ts'
import { newReceiver } from '../../modules/hooks/testing.ts'
import { changeSetting } from '../../modules/platform/actions.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { polling } from '../../testing/timeouts.ts'
import { openApi } from './openapi.ts'

const app = await testApp({ embedded: false })
let http: FastifyInstance
let user: Viewer
let receiver: TestAggregator
/** Made when they are first used: the keys of the examples are the account's first. */
const headersOf = new Map<string, Record<string, string>>()

/** What stands in the examples, and what it is here: filled by what is made below and by the answers. */
const here = new Map<unknown, unknown>()

beforeAll(async () => {
  http = await testHttp(app)
  const boss = await newSuperAdmin(app)
  const planId = await newPlan(app)
  await app.db.transaction().execute((tx) => changeSetting(tx, 'smsPricePaisa', 150, null))
  user = await newUser(app, {
    parent: await newReseller(app, { parent: boss, planId, rupees: 1000 }),
    planId,
    rupees: 100,
  })
  await app.db.updateTable('users').set({ account_type: 'transactional' }).where('id', '=', user.userId).execute()
  await newSender(app, user, { name: 'HIMALBANK' })
  headersOf.set('person', await signedIn(app, user))
  const payload = { textName: 'Code', smsText: 'Dear {name}, your code is {code}' }
  const saved = await http.inject({
    method: 'POST',
    url: '/app/sms/text',
    headers: headersOf.get('person') ?? {},
    payload,
  })
  here.set(12, saved.json<{ textId: number }>().textId)
  const made = await newReceiver(app)
  receiver = made.receiver
  here.set('https://billing.example.com/ghanti', made.url)
  here.set('billing.example.com', new URL(made.url).host)
})

const real = (shown: string): number => Number(here.get(Number(shown)))
const setBalance = (paisa: number) =>
  app.db.updateTable('account').set({ balance_paisa: paisa }).where('id', '=', user.userId).execute()
const feedId = (): number => Number(String(here.get('1204-1')).split('-')[0])

/** What has to be so before an example is sent. */
const before: Readonly<Record<string, () => Promise<unknown>>> = {
  'sends.create balanceShort': () => setBalance(320),
  async 'sends.create dayCap'() {
    await setBalance(10_000)
    await app.pool.query(
      'insert into sms_number_day (phone, account_id, day, sent) values (9779841000001, $1, nepal_day(now()), 5)',
      [user.userId],
    )
  },
  async 'sends.detail delivered'() {
    const at = new Date()
    const ended = { state: 'delivered' as const, sms_id: 1, submitted_at: at, final_at: at }
    const sent = { id: 1, campaign_id: feedId(), no: 0, account_id: user.userId, phone: 9_779_841_234_567, operator: 1 }
    const cost = { gateway_id: await newGateway(), segments: 1, accepted: 1, cost_paisa: 150, claimed_at: at }
    await app.db
      .insertInto('sms_sent')
      .values({ ...sent, ...cost, result: 'accepted' })
      .execute()
    await app.db.updateTable('sms_message').set(ended).where('campaign_id', '=', feedId()).where('no', '=', 0).execute()
  },
  async 'hooks.list own'() {
    const stop = startHooks(app)
    await expect.poll(() => receiver.asked.length, polling).toBe(1)
    await expect.poll(() => hookState(), polling).toBe('active')
    await stop()
  },
  async 'hooks.deliveries failed'() {
    const event = { user_id: user.userId, type: 'messages.changed', at: new Date(), of_messages: true }
    const { id } = await app.db
      .insertInto('hook_event')
      .values({ ...event, campaign_id: feedId(), ids: [0] })
      .returning('id')
      .executeTakeFirstOrThrow()
    const failed = { state: 'failed' as const, tries: 10, tried_at: new Date(), status: 500, ms: 87 }
    const of = { hook_id: real('7'), event_id: id, reason: 'it answered 500' }
    await app.db
      .insertInto('hook_delivery')
      .values({ ...of, ...failed })
      .execute()
  },
}

const hookState = async () => (await app.db.selectFrom('hook').select('state').executeTakeFirst())?.state

async function newGateway(): Promise<number> {
  const gateway = { name: 'Any', driver: 'simulator' as const, settings: '{}' }
  return (await app.db.insertInto('sms_gateway').values(gateway).returning('id').executeTakeFirstOrThrow()).id
}

function routeOf({ call }: ApiExample): Route {
  const [area = '', name = ''] = call.split('.')
  const route = ownValue(ownValue(routes as Record<string, Record<string, Route>>, area), name)
  if (!route) throw new Error(`${call} is no call`)
  return route
}

async function headersBy(by: NonNullable<ApiExample['by']> | 'all'): Promise<Record<string, string>> {
  const known = headersOf.get(by)
  if (known || by === 'person') return known ?? {}
  const { headers } = await newApiKey(app, user, by === 'all' ? {} : { scopes: [by] })
  headersOf.set(by, headers)
  return headers
}

async function send(example: ApiExample) {
  const { method, path } = routeOf(example)
  const rest = new Map(Object.entries(example.input).map(([name, value]) => [name, here.get(value) ?? value]))
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(rest.get(name))
    rest.delete(name)
    return value
  })
  const headers = await headersBy(example.by ?? 'all')
  if (method === 'POST') return await http.inject({ method, url, headers, payload: Object.fromEntries(rest) })
  const query = Object.fromEntries([...rest].map(([name, value]) => [name, String(value)]))
  return await http.inject({ method, url, headers, query })
}

/** Digits are others each time, and nothing else; secrets are longer or other, but begin alike. */
const shapeOf = (text: string): string => text.replaceAll(/[0-9]/g, '9')
const isSecret = (name: string): boolean => name === 'secret' || name === 'key'
const varies = /^(\w+Id|last4|at|\w+At|timestamp|\w+Time|next|ms|eventId|secret|key|campaignName)$/

/** What was answered, with the example's value wherever the two may differ. */
function asShown(shown: unknown, answered: unknown, name = ''): unknown {
  if (Array.isArray(shown) && Array.isArray(answered))
    return answered.map((one, i) => (i < shown.length ? asShown(shown[i], one) : one))
  if (isObject(shown) && isObject(answered))
    return Object.fromEntries(
      Object.entries(answered).map(([key, one]) => [key, asShown(ownValue(shown, key), one, key)]),
    )
  if (here.has(shown) && here.get(shown) === answered) return shown
  if (!varies.test(name) || !isAlike(shown, answered, name)) return answered
  if (name.endsWith('Id')) here.set(shown, answered)
  return shown
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function isAlike(shown: unknown, answered: unknown, name: string): boolean {
  if (typeof shown !== 'string' || typeof answered !== 'string') return typeof shown === typeof answered
  if (isSecret(name) || name === 'eventId')
    return shown.slice(0, 4) === answered.slice(0, 4) && shown.length === answered.length
  if (name === 'last4') return answered.length === 4
  return name === 'messageId' || shapeOf(shown) === shapeOf(answered)
}

test('each example of the API is answered as it is shown', async () => {
  const answered: unknown[] = []
  for (const example of apiExamples) {
    const { call, name, answer } = example
    await ownValue(before, `${call} ${name}`)?.()
    const reply = await send(example)
    answered.push({ call, name, status: reply.statusCode, answer: asShown(answer, reply.json()) })
  }
  expect(answered).toEqual(apiExamples.map(({ call, name, status, answer }) => ({ call, name, status, answer })))
})

test('every call of /api/v1 and of keys has an example, and each stands in the document of its readers', () => {
  const wanted = Object.entries(routes).flatMap(([area, of]) =>
    Object.entries(of)
      .filter(([, { path }]) => path.startsWith('/api/v1/') || area === 'keys')
      .map(([name]) => `${area}.${name}`),
  )
  expect([...new Set(apiExamples.map(({ call }) => call as string))].toSorted()).toEqual(wanted.toSorted())
  const [all, ofPrograms] = [JSON.stringify(openApi('')), JSON.stringify(openApi('', 'programs'))]
  for (const { call, title } of apiExamples) {
    expect(all).toContain(JSON.stringify(title))
    expect(ofPrograms.includes(JSON.stringify(title)), title).toBe(!call.startsWith('keys.'))
  }
})
