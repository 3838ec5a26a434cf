import { callPatch } from '@ghanti/callflow/templates/call-patch.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { newCampaign } from '../../engine/testing.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newUser } from '../../testing/seed.ts'
import { answerHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let user: Viewer
let reseller: Viewer
let campaignId: number

beforeAll(async () => {
  http = await testHttp(app, { handlers: { answers: answerHandlers } })
  reseller = await newReseller(app)
  user = await newUser(app, { parent: reseller })
  const line = await newLine(app, { holders: [user] })
  campaignId = await newCampaign(app, { user, line, phones: [9779800000001], flow: callPatch.build(fullInput) })
  await app.db.updateTable('campaign_count').set({ answered: 12 }).where('campaign_id', '=', campaignId).execute()
  const marks = { welcome: 10, menu: 8, 'menu=1': 3, 'menu=2': 1, 'menu=left': 4, talk: 3, '>menu': 4, '>talk': 1 }
  const values = Object.entries({ ...marks, '>welcome': 2, '>end': 3 }).flatMap(([mark, n]) => [
    { campaign_id: campaignId, slot: 0, mark, n: 1 },
    ...(n > 1 ? [{ campaign_id: campaignId, slot: 1, mark, n: n - 1 }] : []),
  ])
  await app.db.insertInto('campaign_tally').values(values).execute()
})

async function get(path: string, viewer: Viewer) {
  return await http.inject({ url: `/api/obd/campaign/answers/${path}`, headers: await signedIn(app, viewer) })
}

test('a menu’s answers are its keys with what they do, wrong keys, silence and who hung up; parts come in the order of the flow', async () => {
  for (const viewer of [user, reseller]) {
    const reply = await get(String(campaignId), viewer)
    expect(reply.json()).toEqual({
      answered: 12,
      known: 10,
      menus: [
        {
          menu: 'menu',
          asked: 8,
          keys: [
            { key: '1', meaning: 'agent', agent: '9801111133', count: 3 },
            { key: '2', meaning: 'agent', agent: '9801111137', count: 1 },
          ],
          wrong: 0,
          none: 0,
          left: 4,
        },
      ],
      places: [
        { place: 'welcome', heard: 10, left: 2 },
        { place: 'menu', heard: 8, left: 4 },
        { place: 'menu?', heard: 0, left: 0 },
        { place: 'agent', heard: 0, left: 0 },
        { place: 'talk', heard: 3, left: 1 },
        { place: 'wrongInput', heard: 0, left: 0 },
        { place: 'noInput', heard: 0, left: 0 },
        { place: 'thanks', heard: 0, left: 0 },
      ],
      completed: 3,
      cut: 0,
      unknown: 0,
    })
  }
})

test('both tables are there as CSV', async () => {
  const keys = await get(`${campaignId}/answers.csv`, user)
  expect(keys.headers['content-type']).toContain('text/csv')
  expect(keys.body.split('\r\n')).toEqual([
    '\ufeffMenu,Key,Meaning,Agent,Count,Share %',
    'menu,1,agent,9801111133,3,37.5',
    'menu,2,agent,9801111137,1,12.5',
    'menu,,wrong keys only,,0,0',
    'menu,,no key,,0,0',
    'menu,,hung up before a key,,4,50',
    '',
  ])
  const parts = await get(`${campaignId}/drop_off.csv`, user)
  expect(parts.body.split('\r\n').slice(0, 3)).toEqual([
    '\ufeffPart,Calls that came so far,Hung up there,Share of them %',
    'welcome,10,2,20',
    'menu,8,4,50',
  ])
})

test('a stranger’s campaign has no answers, just as a missing one', async () => {
  const stranger = await newUser(app)
  for (const path of [`${campaignId}`, `${campaignId}/answers.csv`, `${campaignId}/drop_off.csv`, '999999'])
    expect((await get(path, path === '999999' ? user : stranger)).statusCode).toBe(404)
})
