import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { pictureFile } from '../../testing/files/picture.ts'
import { newCalls } from '../../testing/calls.ts'
import { newBase, newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser, sumOfBalances } from '../../testing/seed.ts'
import { newSender } from '../../testing/sms-campaigns.ts'
import { makeExport } from '../exports/actions-make.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
let planId: number
beforeAll(async () => {
  http = await testHttp(app)
  const boss = await newSuperAdmin(app)
  planId = await newPlan(app)
  reseller = await newReseller(app, { parent: boss, planId, rupees: 1000 })
})
afterAll(async () => {
  expect(await sumOfBalances(app)).toBe(0)
})

async function ask(viewer: Viewer, method: 'POST' | 'DELETE', url: string, payload?: object) {
  const headers = await signedIn(app, viewer).catch(() => ({}))
  return await http.inject({ method, url, headers, ...(payload && { payload }) })
}
const remove = (user: Viewer) => ask(reseller, 'DELETE', `/api/obd/user/${user.userId}`)

const deeds: { what: string; does(user: Viewer): Promise<() => Promise<{ statusCode: number }>> }[] = [
  {
    what: 'recharged',
    does:
      async ({ userId }) =>
      () =>
        ask(reseller, 'POST', '/api/obd/credits/add', { userId, credits: 5 }),
  },
  {
    what: 'composing a campaign of calls',
    async does(user) {
      const { cli } = await newLine(app, { holders: [user] })
      const baseId = await newBase(app, user)
      const welcomePId = await newPrompt(app, user)
      const of = { campaignName: 'Amid', templateId: 0, cli, baseId, welcomePId }
      return () => ask(user, 'POST', '/api/obd/campaign/compose', of)
    },
  },
  {
    what: 'composing a campaign of messages',
    async does(user) {
      const cli = await newSender(app, user)
      const baseId = await newBase(app, user)
      const of = { campaignName: 'Amid', templateId: 0, cli, baseId, smsText: 'Hello' }
      return () => ask(user, 'POST', '/app/sms/campaign', of)
    },
  },
  {
    what: 'asking for an export',
    does: async (user) => () => ask(user, 'POST', '/api/obd/export', { kind: 'calls', format: 'csv' }),
  },
]

test.each(deeds)(
  'an account that is deleted while it is $what: the one or the other, and no money or campaign stays behind',
  async ({ does }) => {
    const ends = new Set<string>()
    const rounds = 10
    for (let round = 0; round < rounds; round += 1) {
      const user = await newUser(app, { parent: reseller, planId, rupees: 10 })
      const deed = await does(user)
      const first = round % 2 === 0 ? deed() : null
      const removing = remove(user)
      if (round === rounds - 1) await removing // of many at once, on a busy machine all may come too late
      const [deleted, done] = await Promise.all([removing, first ?? deed()])
      for (const { statusCode } of [done, deleted]) expect([200, 400, 401, 404, 409]).toContain(statusCode)
      ends.add(`${done.statusCode} ${deleted.statusCode}`)
      const { rows } = await app.pool.query<{ gone: boolean; paisa: number; unfinished: number }>(
        `select u.deleted_at is not null as gone, a.balance_paisa::int as paisa,
        (select count(*)::int from campaign c where c.account_id = u.id and c.status = 'processing')
        + (select count(*)::int from sms_campaign c where c.account_id = u.id and c.status = 'processing') as unfinished
       from users u join account a on a.id = u.id where u.id = $1`,
        [user.userId],
      )
      const [state] = rows
      if (state?.gone) expect(state).toMatchObject({ paisa: 0, unfinished: 0 })
    }
    expect(
      [...ends].some((one) => one.endsWith(' 200')),
      [...ends].join(),
    ).toBe(true)
  },
)

test('an account that is deleted while it saves its brand leaves no logo behind', async () => {
  const boss = await newSuperAdmin(app)
  const form = new FormData()
  for (const [name, value] of Object.entries({ company: 'Amid', primaryColour: '#112233' })) form.append(name, value)
  form.append('logo', pictureFile('a.png'))
  const body = new Response(form)
  const type = body.headers.get('content-type') ?? ''
  const payload = Buffer.from(await body.arrayBuffer())
  for (let round = 0; round < 20; round += 1) {
    const { userId, ...owner } = await newReseller(app, { parent: boss, planId })
    const headers = { ...(await signedIn(app, { userId, ...owner })), 'content-type': type }
    const url = '/api/obd/brand'
    const save = () => http.inject({ method: 'POST', url, headers, payload })
    const remove = () => ask(boss, 'DELETE', `/api/obd/user/${userId}`)
    const replies = await Promise.all(round % 2 === 0 ? [save(), remove()] : [remove(), save()])
    for (const { statusCode } of replies) expect([200, 401, 404]).toContain(statusCode)
    const found = app.db.selectFrom('branding').select('logo_hash').where('user_id', '=', userId)
    expect((await found.executeTakeFirst())?.logo_hash ?? null).toBeNull()
  }
  for await (const hash of app.files.all()) expect.fail(`a file that nothing names stayed: ${hash}`)
})

test('an export that was asked for before its account was deleted is given up, and leaves no file', async () => {
  const user = await newUser(app, { parent: reseller, planId, rupees: 10 })
  await newCalls(app, user, await newCampaign(app, user, { status: 'complete' }), 100)
  const asked = await ask(user, 'POST', '/api/obd/export', { kind: 'calls', format: 'csv' })
  const { exportId } = asked.json<{ exportId: number }>()
  expect((await remove(user)).statusCode).toBe(200)
  await makeExport(app, exportId, new AbortController().signal)
  const line = await app.db.selectFrom('export').selectAll().where('id', '=', exportId).executeTakeFirstOrThrow()
  expect(line).toMatchObject({ status: 'failed', file_hash: null })
  const left = await fs.readdir(path.join(app.config.dataFolder, 'exports'), { recursive: true }).catch(() => [])
  expect(left).toEqual([])
})
