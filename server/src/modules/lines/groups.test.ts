import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'

const app = await testApp()
const http = await testHttp(app)
const boss = await newSuperAdmin(app)
const reseller = await newReseller(app, { parent: boss, planId: await newPlan(app) })
const user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }) })

async function ask(viewer: Viewer, method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  const url = `/api/obd/${path}`
  const reply = await http.inject({ method, url, headers: await signedIn(app, viewer), ...(payload && { payload }) })
  const body = reply.json<{ errors?: { field: string; text: string }[]; cliId?: number; campaignId?: number }>()
  return {
    status: reply.statusCode,
    body,
    said: (body.errors ?? []).map(({ field, text }) => `${field} ${text}`),
  }
}
const post = (path: string, payload: object, viewer = boss) => ask(viewer, 'POST', path, payload)

const trunkNameOf = async (trunkId: number) =>
  (await app.db.selectFrom('trunk').select('name').where('id', '=', trunkId).executeTakeFirstOrThrow()).name
async function lines() {
  const one = await newLine(app)
  const two = await newLine(app, { dialerId: one.dialerId, trunkId: one.trunkId })
  return { one, two, trunkName: await trunkNameOf(one.trunkId) }
}
type Lines = Awaited<ReturnType<typeof lines>>
const nameOf = () => `Group ${randomUUID().slice(0, 8)}`
const groupOver = ({ one, two, trunkName }: Lines) => ({
  groupName: nameOf(),
  trunkName,
  members: [{ cliId: one.cliId }, { cliId: two.cliId, weight: 3 }],
})
async function newGroup(of: Lines): Promise<{ cliId: number; groupName: string }> {
  const { groupName, ...rest } = groupOver(of)
  const { body } = await post('cli/group', { groupName, ...rest })
  return { cliId: body.cliId ?? expect.fail('no group was made'), groupName }
}
const mayShow = async (trunkId: number, shownClis: string[]) => {
  const { name, pilot_number, dialer_id, channels, cps } = await app.db
    .selectFrom('trunk')
    .selectAll()
    .where('id', '=', trunkId)
    .executeTakeFirstOrThrow()
  const trunk = { trunkId, trunkName: name, pilotNumber: pilot_number, dialerId: dialer_id, channels, cps }
  return await post('trunk/update', { ...trunk, sip: { shownClis } })
}
const countOfGroups = async () =>
  (await app.db.selectFrom('cli').select('id').where('is_group', '=', true).where('deleted_at', 'is', null).execute())
    .length

test('a group of caller IDs is made, listed among them, read, and changed as a whole', async () => {
  const of = await lines()
  const { cliId, groupName } = await newGroup(of)
  const { body } = await ask(boss, 'GET', `cli/all?search=${encodeURIComponent(groupName.toUpperCase())}`)
  expect(body).toMatchObject([
    { cliId, cli: groupName, members: 2, channels: 2000, cliStatus: 1, trunkName: of.trunkName },
  ])
  const members = async () => (await ask(boss, 'GET', `cli/group/${cliId}`)).body
  expect(await members()).toMatchObject({
    groupName,
    trunkName: of.trunkName,
    members: [
      { cli: of.one.cli, weight: 1, cliStatus: 1 },
      { cli: of.two.cli, weight: 3, cliStatus: 1 },
    ],
  })
  const change = {
    cliId,
    groupName: nameOf(),
    trunkName: of.trunkName,
    members: JSON.stringify([{ cliId: of.two.cliId }]),
  }
  expect((await post('cli/group/update', change)).status).toBe(200)
  expect(await members()).toMatchObject({ groupName: change.groupName, members: [{ cli: of.two.cli, weight: 1 }] })
  const log = await app.db.selectFrom('audit_log').select('action').where('target', '=', `cli ${cliId}`).execute()
  expect(log.map(({ action }) => action)).toEqual(['cli.addGroup', 'cli.updateGroup'])
})

test('a group is given to a reseller and a user as a caller ID is, and the user composes with it by name', async () => {
  const of = await lines()
  const { cliId, groupName } = await newGroup(of)
  expect((await post('allocate/cli', { cliRows: [{ cliId, userId: reseller.userId }] })).status).toBe(200)
  expect((await post('allocate/cli', { cliRows: [{ cliId, userId: user.userId }] }, reseller)).status).toBe(200)
  const held = (await ask(user, 'GET', `cli/user/${user.userId}`)).body
  expect(held).toMatchObject([{ cli: groupName, members: 2, channels: expect.any(Number) }])
  const composed = await post(
    'campaign/compose',
    {
      campaignName: `Campaign ${randomUUID()}`,
      templateId: 0,
      cli: groupName,
      baseId: await newBase(app, user),
      welcomePId: await newPrompt(app, user),
    },
    user,
  )
  expect(composed.said).toEqual([])
  const { cli_id } = await app.db
    .selectFrom('campaign')
    .select('cli_id')
    .where('id', '=', composed.body.campaignId ?? 0)
    .executeTakeFirstOrThrow()
  expect(cli_id).toBe(cliId)
  const byMember = (await ask(user, 'GET', `campaign/${user.userId}?cli=${of.one.cli}`)).body
  expect(byMember).toMatchObject([{ campaignId: composed.body.campaignId }])
  const taken = await ask(boss, 'DELETE', 'cli', { cliId })
  expect([taken.status, taken.said[0]]).toEqual([409, expect.stringMatching(/^cliId is used by 'Campaign /)])
})

const bad: { why: string; field: string; says: RegExp; of(lines: Lines): object | Promise<object> }[] = [
  { why: 'without caller IDs', field: 'members', says: /must have at least one/, of: () => ({ members: [] }) },
  {
    why: 'with a weight of zero',
    field: 'members.0.weight',
    says: /from 1 to 100/,
    of: ({ one }) => ({ members: [{ cliId: one.cliId, weight: 0 }] }),
  },
  {
    why: 'with one twice',
    field: 'members',
    says: /names one of them twice/,
    of: ({ one }) => ({ members: [{ cliId: one.cliId }, { cliId: one.cliId }] }),
  },
  {
    why: 'whose name is a number',
    field: 'groupName',
    says: /must have a letter/,
    of: () => ({ groupName: '9812345678' }),
  },
  {
    why: 'with a caller ID that does not exist',
    field: 'members.1.cliId',
    says: /is not a caller ID/,
    of: ({ one }) => ({ members: [{ cliId: one.cliId }, { cliId: 99_999 }] }),
  },
  {
    why: 'with another group',
    field: 'members.0.cliId',
    says: /is a group: a group can have only caller IDs/,
    of: async (all) => ({ members: [{ cliId: (await newGroup(all)).cliId }] }),
  },
  {
    why: 'with an inactive caller ID',
    field: 'members.0.cliId',
    says: /is inactive/,
    async of() {
      const { cliId } = await newLine(app)
      await post('cli/update', { cliId, channels: 30 })
      return { members: [{ cliId }] }
    },
  },
  {
    why: 'with a caller ID that its trunk may not show',
    field: 'members',
    says: /have '0159\d+', which may be shown over none of the trunks/,
    async of({ one }) {
      const elsewhere = await newLine(app, { dialerId: one.dialerId })
      expect((await mayShow(elsewhere.trunkId, [elsewhere.cli])).said).toEqual([])
      return { trunkName: await trunkNameOf(elsewhere.trunkId) }
    },
  },
]
test.each(bad)('a group $why is refused in words, and none is made', async ({ field, says, of }) => {
  const all = await lines()
  const more = await of(all)
  const before = await countOfGroups()
  const { status, said } = await post('cli/group', { ...groupOver(all), ...more })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(said[0]).toMatch(new RegExp(`^${field} `))
  expect(said[0]).toMatch(says)
  const text = said[0]?.slice(field.length + 1) ?? ''
  expect(nepaliOf(text)).toMatch(/[\u0900-\u097f]/u)
  expect(await countOfGroups()).toBe(before)
})

test('the caller IDs of a group may be of several dialers and move between them', async () => {
  const of = await lines()
  const elsewhere = await newLine(app)
  const group = { ...groupOver(of), members: [{ cliId: of.one.cliId }, { cliId: elsewhere.cliId }] }
  const move = { cliId: of.one.cliId, channels: 30, trunkName: await trunkNameOf(elsewhere.trunkId) }
  const { body } = await post('cli/group', group)
  expect((await post('cli/update', move)).said).toEqual([])
  expect((await ask(boss, 'GET', `cli/group/${body.cliId}`)).body).toMatchObject({
    members: expect.arrayContaining(
      [
        { cli: of.one.cli, cliStatus: 1 },
        { cli: elsewhere.cli, cliStatus: 1 },
      ].map((one) => expect.objectContaining(one)),
    ),
  })
})

test('a caller ID of a group cannot be deleted; made inactive, it is not shown; deleting the group frees it', async () => {
  const of = await lines()
  const { cliId } = await newGroup(of)
  const { cliId: member } = of.one
  const deleted = await ask(boss, 'DELETE', 'cli', { cliId: member })
  expect(deleted.said).toEqual([
    expect.stringMatching(/^cliId is in the caller ID groups 'Group .+': take it out first$/),
  ])
  expect((await post('cli/update', { cliId: member, channels: 30 })).status).toBe(200)
  expect((await ask(boss, 'GET', `cli/group/${cliId}`)).body).toMatchObject({ members: [{ cliStatus: 0 }, {}] })
  expect((await post('cli/update', { cliId, channels: 30 })).said).toEqual(['cliId is a group: change it as a group'])
  expect((await ask(boss, 'DELETE', 'cli', { cliId })).status).toBe(200)
  expect((await ask(boss, 'DELETE', 'cli', { cliId: member })).status).toBe(200)
})

test('where a trunk may show some caller IDs only, adding, moving, routing and narrowing are refused in words, and nothing changes', async () => {
  const { one, two, trunkName } = await lines()
  const other = await newLine(app, { dialerId: one.dialerId })
  const otherName = await trunkNameOf(other.trunkId)
  expect((await mayShow(other.trunkId, [other.cli, '9801234500-9801234599'])).said).toEqual([])
  const added = await post('cli', { cli: '9801234600', channels: 30, trunkName: otherName })
  expect(added.said).toEqual([`cli cannot be used: trunk '${otherName}' may not show '9801234600'`])
  expect((await post('cli', { cli: '9801234599', channels: 30, trunkName: otherName })).status).toBe(200)
  const moved = await post('cli/update', { cliId: two.cliId, channels: 30, trunkName: otherName })
  expect(moved.said).toEqual([`trunkName cannot be used: trunk '${otherName}' may not show '${two.cli}'`])
  const steps = [{ trunkId: one.trunkId }, { trunkId: other.trunkId, priority: 2 }]
  const { body } = await post('route', { routeName: nameOf(), steps })
  const { routeId = 0 } = body as { routeId?: number }
  const routed = await post('cli/route', { cliId: one.cliId, routeId })
  expect(routed.said).toEqual([`routeId cannot be used: trunk '${otherName}' may not show '${one.cli}'`])
  const own = await post('route', { routeName: nameOf(), steps: [{ trunkId: one.trunkId }] })
  const ownRoute = (own.body as { routeId?: number }).routeId ?? 0
  expect((await post('cli/route', { cliId: one.cliId, routeId: ownRoute })).status).toBe(200)
  const widened = await post('route/update', { routeId: ownRoute, routeName: nameOf(), steps })
  expect(widened.said).toEqual([`steps cannot be used: trunk '${otherName}' may not show '${one.cli}'`])
  const narrowed = await mayShow(one.trunkId, [one.cli])
  expect(narrowed.said).toEqual([`sip.shownClis lack '${two.cli}', which calls over the trunk show`])
  const { sip_options } = await app.db
    .selectFrom('trunk')
    .select('sip_options')
    .where('name', '=', trunkName)
    .executeTakeFirstOrThrow()
  expect(sip_options).not.toHaveProperty('shownClis', [one.cli])
})

test('composing with a caller ID that no trunk of it may show, or a group without an active one, is refused in words', async () => {
  const one = await newLine(app, { holders: [user] })
  const body = {
    campaignName: `Campaign ${randomUUID()}`,
    templateId: 0,
    baseId: await newBase(app, user),
    welcomePId: await newPrompt(app, user),
  }
  await app.db
    .updateTable('trunk')
    .set({ sip_options: JSON.stringify({ shownClis: ['1414'] }) })
    .where('id', '=', one.trunkId)
    .execute()
  const refused = await post('campaign/compose', { ...body, cli: one.cli }, user)
  expect(refused.said).toEqual(['cli may not be shown: the operators of its trunks allow other caller IDs'])
  const of = await lines()
  const { cliId, groupName } = await newGroup(of)
  await post('allocate/cli', { cliRows: [{ cliId, userId: user.userId }] })
  for (const { cliId: id } of [of.one, of.two]) await post('cli/update', { cliId: id, channels: 30 })
  expect((await post('campaign/compose', { ...body, cli: groupName }, user)).said).toEqual([
    'cli has no active caller ID',
  ])
})

test('a file’s line with a caller ID that its trunk may not show is refused by its number', async () => {
  const line = await newLine(app)
  const trunkName = await trunkNameOf(line.trunkId)
  await mayShow(line.trunkId, [line.cli, '9801234510'])
  const form = new FormData()
  form.set('trunkName', trunkName)
  form.set('cliFile', new File(['9801234510\n9801234511\n'], 'clis.csv', { type: 'text/csv' }))
  const file = new Response(form)
  const headers = { ...(await signedIn(app, boss)), 'content-type': file.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await file.arrayBuffer())
  const reply = await http.inject({ method: 'POST', url: '/api/obd/cliupload', headers, payload })
  expect(reply.json()).toMatchObject({
    accepted: 1,
    refused: [{ line: 2, reason: `the number may not be shown over trunk '${trunkName}'` }],
  })
})
