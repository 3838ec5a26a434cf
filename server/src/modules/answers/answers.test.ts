import { templateById } from '@ghanti/callflow/registry.ts'
import { callPatch } from '@ghanti/callflow/templates/call-patch.ts'
import { consultancy } from '@ghanti/callflow/templates/consultancy.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { newCampaign } from '../../voice/testing/fixtures.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newUser } from '../../testing/seed.ts'
import { answerHandlers } from './routes.ts'
import { answersOf, dropOffLines } from './rules.ts'

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
            { key: '1', label: null, meaning: 'agent', agent: '9801111133', count: 3 },
            { key: '2', label: null, meaning: 'agent', agent: '9801111137', count: 1 },
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

test('both tables are there as CSV, in the screen’s words, named after campaign and day', async () => {
  const fileNamed = (name: string) => new RegExp(`${encodeURIComponent(name)}%20\\d{4}-\\d\\d-\\d\\d\\.csv`)
  await app.db.updateTable('campaign_progress').set({ name: 'दशैं 1' }).where('campaign_id', '=', campaignId).execute()
  const keys = await get(`${campaignId}/answers.csv`, user)
  expect(keys.headers['content-type']).toContain('text/csv')
  expect(keys.headers['content-disposition']).toMatch(fileNamed('दशैं 1 answers'))
  expect(keys.body.split('\r\n')).toEqual([
    '\ufeffMenu,Key,Name,Meaning,Agent,Count,Share %',
    'Menu,1,,Calls the agent,9801111133,3,37.5',
    'Menu,2,,Calls the agent,9801111137,1,12.5',
    'Menu,,,Wrong keys only,,0,0',
    'Menu,,,No key,,0,0',
    'Menu,,,Hung up before a key,,4,50',
    '',
  ])
  const parts = await get(`${campaignId}/drop_off.csv`, user)
  expect(parts.headers['content-disposition']).toMatch(fileNamed('दशैं 1 drop-off'))
  expect(parts.body.split('\r\n')).toEqual([
    '\ufeffPart,Calls that came so far,Hung up there,Share of them %',
    'Welcome,10,2,20',
    'Menu,8,4,50',
    'Silence after Menu,0,0,',
    'The agent’s telephone rings,0,0,',
    'Talk with the agent,3,1,33.3',
    'Wrong input,0,0,',
    'No input,0,0,',
    'Thanks,0,0,',
    'Heard to the end,3,,',
    'Ended by us earlier,0,,',
    'End not seen,0,,',
    '',
  ])
})

test('each menu and each said value has its own line, whatever the template', async () => {
  const places = (id: number) => {
    const flow = templateById.get(id)?.build(fullInput)
    if (!flow) throw new Error(`no template ${id}`)
    return [...dropOffLines(answersOf(flow, 0, new Map()))].map(([part]) => part).slice(0, -3)
  }
  const asked = ['Menu 1', 'Date 1', 'Menu 2', 'Silence after Menu']
  const answered = ['Opt-in 1', 'Opt-out 1', 'Date 2', 'Opt-out 2', 'Action 1', 'Date 3', 'Action 2']
  expect(places(5)).toEqual([...asked, ...answered])
  expect(places(7)).toEqual(['Menu 1', 'Name 1', 'Menu 2', 'Service 1', 'Menu 3', 'Amount 1', 'Menu 4', 'Month 1'])
  expect(places(8).slice(0, 5)).toEqual(['Welcome', 'Menu 1', 'Silence after Menu 1', 'Menu 2', 'Silence after Menu 2'])
  const tallies = new Map([
    ['menu1=3', 2],
    ['menu1=left', 1],
    ['menu2=1', 1],
    ['menu2=wrong', 1],
  ])
  const { menus } = answersOf(consultancy.build(fullInput), 3, tallies)
  expect(menus.map(({ menu, asked, keys }) => [menu, asked, ...keys.map(({ key, count }) => key + count)])).toEqual([
    ['menu1', 3, '10', '20', '32'],
    ['menu2', 2, '11', '20'],
    ['menu3', 0, '10', '20', '30'],
    ['menu4', 0, '10', '20'],
    ['menu5', 0, '10', '20'],
  ])
  const meaningsOf = ({ keys }: (typeof menus)[number]) => [...new Set(keys.map(({ meaning }) => meaning))]
  expect(menus.map(meaningsOf), 'there is no menu behind the last').toEqual([
    ['next'],
    ['next'],
    ['next'],
    ['next'],
    ['recorded'],
  ])
  const auto3 = templateById.get(5)?.build(fullInput)
  const meanings = auto3 && answersOf(auto3, 0, new Map()).menus[0]?.keys.map(({ meaning }) => meaning)
  expect(meanings).toEqual(['optin', 'optout', 'action'])
})

test('a stranger’s campaign has no answers, just as a missing one', async () => {
  const stranger = await newUser(app)
  for (const path of [`${campaignId}`, `${campaignId}/answers.csv`, `${campaignId}/drop_off.csv`, '999999'])
    expect((await get(path, path === '999999' ? user : stranger)).statusCode).toBe(404)
})
