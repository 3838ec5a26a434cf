import type { CallInsight } from '@ghanti/contract/insight.ts'
import { expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { answered, newCall } from '../../testing/calls.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { countAll } from './actions-count.ts'

const app = await testApp()
const http = await testHttp(app)

/** A campaign that gave its keys these names, with an answered call for each key. */
async function named(user: Viewer, keyLabels: Record<string, string>, pressed: string): Promise<number> {
  const campaignId = await newCampaign(app, user)
  await app.db
    .updateTable('campaign_detail')
    .set({ composed: JSON.stringify({ keyLabels }) })
    .where('campaign_id', '=', campaignId)
    .execute()
  for (const keys of pressed) await newCall(app, user, campaignId, { ...answered(20), keys })
  return campaignId
}

async function asked(viewer: Viewer, query = ''): Promise<CallInsight> {
  const headers = await signedIn(app, viewer)
  const reply = await http.inject({ url: `/api/obd/insight/${viewer.userId}${query}`, headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<CallInsight>()
}

test('a key has the name that all campaigns whose calls pressed it gave it, and each campaign its own names', async () => {
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  await named(user, { 1: 'Interested', 2: 'No', 3: 'Later', 5: 'Never pressed' }, '123')
  const other = await named(user, { 1: 'Interested', 2: 'Not now' }, '123')
  await named(user, { 1: 'Pressed by nobody' }, '4')
  await countAll(app.db)
  expect((await asked(user)).keyLabels, 'neither 2, of two names, nor 3 or 4, which lack one').toEqual({
    1: 'Interested',
  })
  const ofOther = `?campaignId=${other}&by=day`
  expect((await asked(user, ofOther)).keyLabels).toEqual({ 1: 'Interested', 2: 'Not now' })
  expect((await asked(reseller, ofOther)).keyLabels).toEqual({ 1: 'Interested', 2: 'Not now' })
  expect((await asked(reseller)).keyLabels, 'names of several customers say nothing').toEqual({})
  const url = `/api/obd/insight/${user.userId}/insight-calls.csv?table=keys`
  const csv = (await http.inject({ url, headers: await signedIn(app, user) })).body
  expect(csv.slice(1).split('\r\n').slice(0, 3)).toEqual([
    'What,Name,Calls,Of answered (%),Before',
    'Key 1,Interested,2,28.6,0',
    'Key 2,,2,28.6,0',
  ])
})

test('a name that begins like a formula is text in the CSV of keys', async () => {
  const user = await newUser(app)
  await named(user, { 1: '=1+1' }, '1')
  await countAll(app.db)
  const url = `/api/obd/insight/${user.userId}/insight-calls.csv?table=keys`
  const csv = (await http.inject({ url, headers: await signedIn(app, user) })).body
  expect(csv.split('\r\n')[1]).toBe("Key 1,'=1+1,1,100,0")
})
