import type { StartOverview } from '@ghanti/contract/overview.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { newAccountTree } from '../../testing/account-tree.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { giveRupees, newLine, newReseller, newUser } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  ;({ boss } = await newAccountTree(app, { prefix: 'steps', reseller: { rupees: 0 }, user: { rupees: 0 } }))
})

async function done(viewer: Viewer): Promise<string[]> {
  const reply = await http.inject({ url: '/api/obd/overview/start', headers: await signedIn(app, viewer) })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<StartOverview>().steps.flatMap(({ step, isDone }) => (isDone ? [step] : []))
}

test('a user’s first steps are done by what is in the database, in any order, and never by what others have', async () => {
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  const other = await newUser(app, { parent: reseller })
  expect(await done(user)).toEqual([])
  const promptId = await newPrompt(app, user, { status: 'pending' })
  expect(await done(user)).toEqual(['voiceFile'])
  await app.db.updateTable('prompt').set({ status: 'approved' }).where('id', '=', promptId).execute()
  await newLine(app, { holders: [user] })
  await giveRupees(app, user.userId, 10)
  expect(await done(user)).toEqual(['voiceFile', 'approval', 'callerId', 'balance'])
  const campaignId = await newCampaign(app, user)
  expect(await done(user)).toEqual(['voiceFile', 'approval', 'callerId', 'balance', 'contacts', 'campaign'])
  await app.db.updateTable('campaign').set({ is_test: true }).where('id', '=', campaignId).execute()
  expect(await done(user)).toEqual(['voiceFile', 'approval', 'callerId', 'balance', 'contacts', 'testCall'])
  expect(await done(other)).toEqual([])
})

test('a reseller’s steps are done by the own customers alone', async () => {
  const reseller = await newReseller(app)
  const other = await newReseller(app)
  expect(await done(reseller)).toEqual([])
  const user = await newUser(app, { parent: reseller })
  await newLine(app, { holders: [user] })
  await newCampaign(app, user)
  expect(await done(reseller)).toEqual(['customer', 'allocation', 'customerCampaign'])
  expect(await done(other)).toEqual([])
})

test('a super admin’s steps are those of the platform', async () => {
  expect(await done(boss)).toEqual(expect.arrayContaining(['dialer', 'trunk', 'cli', 'customer']))
  expect(await done(boss)).not.toContain('trunkTest')
})
