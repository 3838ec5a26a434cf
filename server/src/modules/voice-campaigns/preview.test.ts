import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import type { ContactPreview } from '@ghanti/contract/contacts.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newUser } from '../../testing/seed.ts'
import { changeSetting } from '../platform/actions.ts'
import { defaultCallingHours } from '../platform/rules-hours.ts'
import { voiceCampaignHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let baseId: number
let cli: string
beforeAll(async () => {
  http = await testHttp(app, { handlers: { voiceCampaigns: voiceCampaignHandlers } })
  const planId = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 50 })
  const reseller = await newReseller(app, { planId, channels: 60 })
  user = await newUser(app, { parent: reseller, planId, rupees: 12 })
  cli = (await newLine(app, { holders: [user], cps: 5 })).cli
  const file = path.join(app.config.dataFolder, 'contacts.csv')
  const rows = Array.from({ length: 100 }, (_, n) => `98000000${String(n).padStart(2, '0')},Ram`)
  await fs.writeFile(file, ['mobile,name', ...rows, '9800000000,again', '123,bad'].join('\r\n'))
  baseId = await newBase(app, user, ['mobile', 'name'])
  await app.db
    .updateTable('base')
    .set({ file_hash: await app.files.put(file) })
    .where('id', '=', baseId)
    .execute()
  await app.db.insertInto('blacklist').values({ phone: 9_779_800_000_001, owner_id: user.userId }).execute()
  const off = { ...defaultCallingHours, enabled: false }
  await app.db.transaction().execute((tx) => changeSetting(tx, 'callingHours', off, null))
})

async function preview(fields: object) {
  const headers = await signedIn(app, user)
  return http.inject({ method: 'POST', url: '/api/obd/campaign/preview', headers, payload: fields })
}

test('the base alone says what it would give, without an estimate', async () => {
  expect((await preview({ baseId })).json<ContactPreview>()).toMatchObject({
    rows: 102,
    accepted: 99,
    blacklisted: 1,
    invalid: 1,
    duplicate: 1,
    columns: ['mobile', 'name'],
    estimate: null,
  })
})

test('with prompts and CLI it says what it costs at most and when it is done', async () => {
  const welcomePId = await newPrompt(app, user, { durationMs: 45_000 })
  app.clock.set(new Date('2026-11-20T06:15:00Z'))
  const fields = { baseId, cli, templateId: 0, welcomePId, scheduleTime: '2026-11-20 23:00:00' }
  const reply = await preview(fields)
  expect(reply.statusCode, reply.body).toBe(200)
  const { estimate } = reply.json<ContactPreview>()
  expect(estimate).toEqual({
    atMost: 99,
    perAgentMinute: null,
    oneCallAtMost: 1,
    balance: 12,
    seconds: 20,
    doneAbout: '2026-11-20 23:00:20',
    dialUntil: '2026-11-27 23:00:00',
  })
  expect(await app.db.selectFrom('campaign').select('id').execute(), 'nothing is stored').toEqual([])
})

test('what is named and not his is refused by field; what is missing is just not estimated', async () => {
  const foreign = await newPrompt(app, await newUser(app))
  const reply = await preview({ baseId, cli: '0190000', templateId: 0, welcomePId: foreign })
  expect(reply.statusCode).toBe(400)
  expect(reply.json<{ errors: { field: string }[] }>().errors.map(({ field }) => field)).toEqual(['welcomePId', 'cli'])
  expect((await preview({ baseId, cli, templateId: 1 })).json()).toMatchObject({ estimate: null })
  expect((await preview({ cli })).json()).toMatchObject({ errors: [{ field: 'baseId' }] })
  expect((await preview({ baseId: 999_999 })).json()).toMatchObject({ errors: [{ field: 'baseId' }] })
})
