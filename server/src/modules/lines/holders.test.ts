import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { voiceCampaignHandlers } from '../voice-campaigns/routes.ts'
import { giveBackClis } from './actions-holders.ts'
import { lineHandlers } from './routes.ts'

const app = await testApp()
const http = await testHttp(app, { handlers: { lines: lineHandlers, voiceCampaigns: voiceCampaignHandlers } })
const boss = await newSuperAdmin(app)
const reseller = await newReseller(app, { parent: boss, planId: await newPlan(app) })
const sub = await newReseller(app, { parent: reseller })
const user = await newUser(app, { parent: reseller, planId: await newPlan(app, { owner: reseller }) })
const user2 = await newUser(app, { parent: reseller })
const stranger = await newUser(app)

type Reply = { message: string; errors?: { field: string; text: string }[] }
async function ask(viewer: Viewer, method: 'POST' | 'DELETE', url: string, payload: object, headers: object = {}) {
  const reply = await http.inject({ method, url, payload, headers: { ...(await signedIn(app, viewer)), ...headers } })
  const { message, errors = [] } = reply.json<Reply>()
  return { status: reply.statusCode, message, said: errors.map(({ field, text }) => `${field} ${text}`) }
}
const allocate = (viewer: Viewer, cliRows: unknown) => ask(viewer, 'POST', '/api/obd/allocate/cli', { cliRows })
const deallocate = (viewer: Viewer, payload: object) => ask(viewer, 'DELETE', '/api/obd/cli/deallocate/', payload)
const remove = (viewer: Viewer, payload: object) => ask(viewer, 'DELETE', '/api/obd/cli', payload)
const offered = async (viewer: Viewer, cli: string) => {
  const reply = await http.inject({ url: `/api/obd/cli/available?search=${cli}`, headers: await signedIn(app, viewer) })
  return reply.json<{ cli: string }[]>().length === 1
}
async function holdersOf(cliId: number): Promise<number[]> {
  const rows = await app.db
    .selectFrom('cli_holder')
    .select('account_id')
    .where('cli_id', '=', cliId)
    .orderBy('id')
    .execute()
  return rows.map(({ account_id }) => account_id)
}
async function shared(of: Parameters<typeof newLine>[1] = {}) {
  const line = await newLine(app, of)
  await app.db.updateTable('cli').set({ pool: 'shared' }).where('id', '=', line.cliId).execute()
  return line
}
const fine = { status: 200, message: 'Success', said: [] }

describe('allocating', () => {
  test('the super admin gives to anyone, a reseller passes on to a direct child; each step is audited', async () => {
    const { cliId, cli } = await newLine(app)
    expect(await allocate(boss, [{ cli, cliId, userId: reseller.userId }])).toEqual(fine)
    expect(await allocate(reseller, JSON.stringify([{ cli, cliId: String(cliId), userId: sub.userId }]))).toEqual(fine)
    expect(await holdersOf(cliId)).toEqual([reseller.userId, sub.userId])
    const log = app.db.selectFrom('audit_log').select(['actor_id', 'detail']).where('target', '=', `cli ${cliId}`)
    expect(await log.orderBy('id').execute()).toEqual([
      { actor_id: boss.userId, detail: { cli, userId: reseller.userId } },
      { actor_id: reseller.userId, detail: { cli, userId: sub.userId } },
    ])
    const direct = await newLine(app)
    expect(await allocate(boss, [{ cliId: direct.cliId, userId: user.userId }])).toEqual(fine)
  })

  test('one wrong row and none is allocated; each is named by its number, in the catalogue’s words', async () => {
    const [a, b] = [await newLine(app), await newLine(app)]
    const rows = [
      { cliId: a.cliId, userId: reseller.userId },
      { cliId: '', userId: reseller.userId },
      { cli: a.cli, cliId: a.cliId, userId: user.userId },
      { cliId: b.cliId, userId: boss.userId },
    ]
    expect(await allocate(boss, rows)).toEqual({
      status: 400,
      message: 'Parameters Incorrect',
      said: [
        'cliRows.1.cliId Please select CLI',
        `cliRows.2.cliId ${a.cli} is already selected`,
        'cliRows.3.userId is not an account to which you can allocate',
      ],
    })
    expect(await allocate(boss, [])).toMatchObject({ status: 400, said: ['cliRows Please add CLI Row'] })
    expect(await ask(boss, 'POST', '/api/obd/allocate/cli', {})).toMatchObject({
      said: ['cliRows Please add CLI Row'],
    })
    expect(await holdersOf(a.cliId)).toEqual([])
  })

  test('a reseller allocates neither what others hold nor to anybody else’s account; a user nothing', async () => {
    const held = await newLine(app, { holders: [reseller] })
    const other = await newLine(app)
    const rows = [
      { cliId: held.cliId, userId: stranger.userId },
      { cliId: other.cliId, userId: user.userId },
    ]
    expect(await allocate(reseller, rows)).toMatchObject({
      status: 400,
      said: [
        'cliRows.0.userId is not an account to which you can allocate',
        'cliRows.1.cliId is not a caller ID of yours',
      ],
    })
    expect(await allocate(user, rows)).toMatchObject({ status: 403 })
  })

  test('a dedicated CLI has one holder a level and is offered until then, a shared one stays on offer', async () => {
    const { cliId, cli } = await newLine(app, { holders: [reseller] })
    expect([await offered(boss, cli), await offered(reseller, cli)]).toEqual([false, true])
    expect(await allocate(reseller, [{ cliId, userId: user.userId }])).toEqual(fine)
    expect(await offered(reseller, cli)).toBe(false)
    expect(await allocate(reseller, [{ cliId, userId: user2.userId }])).toEqual({
      status: 409,
      message: 'Request Failed!! Please try again',
      said: [`cliRows.0.cliId is allocated to '${user.username}' already`],
    })
    const many = await shared({ holders: [reseller, user] })
    expect(await allocate(reseller, [{ cliId: many.cliId, userId: user2.userId }])).toEqual(fine)
    expect(await allocate(boss, [{ cliId: many.cliId, userId: stranger.userId }])).toEqual(fine)
    expect([await offered(boss, many.cli), await offered(reseller, many.cli)]).toEqual([true, true])
  })

  test('twenty who give away the same dedicated CLI at once: one does', async () => {
    const { cliId } = await newLine(app)
    const people = await Promise.all(Array.from({ length: 20 }, () => newUser(app, { parent: reseller })))
    const replies = await Promise.all(people.map(({ userId }) => allocate(boss, [{ cliId, userId }])))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
    expect(await holdersOf(cliId)).toHaveLength(1)
  })

  test('the same request twice, with its key, allocates once', async () => {
    const { cliId } = await newLine(app)
    const again = () =>
      ask(
        boss,
        'POST',
        '/api/obd/allocate/cli',
        { cliRows: [{ cliId, userId: user.userId }] },
        { 'idempotency-key': `allocate ${cliId}` },
      )
    expect([await again(), await again()]).toEqual([fine, fine])
  })
})

describe('taking back and giving back', () => {
  test('the account above takes it back with all that was passed on; whoever else holds it keeps it', async () => {
    const { cliId } = await shared({ holders: [reseller, sub] })
    const below = await newUser(app, { parent: sub })
    expect(await allocate(sub, [{ cliId, userId: below.userId }])).toEqual(fine)
    expect(await allocate(boss, [{ cliId, userId: stranger.userId }])).toEqual(fine)
    expect(await deallocate(boss, { cliId, userId: reseller.userId })).toEqual(fine)
    expect(await holdersOf(cliId)).toEqual([stranger.userId])
  })

  test('several allocations are taken back at once; one that ended with another is done, somebody else’s is not there', async () => {
    const { cliId } = await shared({ holders: [reseller, sub, user] })
    const below = await newUser(app, { parent: sub })
    await allocate(sub, [{ cliId, userId: below.userId }])
    await allocate(boss, [{ cliId, userId: stranger.userId }])
    const rows = await app.db
      .selectFrom('cli_holder')
      .select(['id', 'account_id'])
      .where('cli_id', '=', cliId)
      .execute()
    const idOf = ({ userId }: Viewer) => rows.find((row) => row.account_id === userId)?.id
    const many = (viewer: Viewer, ...from: Viewer[]) =>
      ask(viewer, 'POST', '/api/obd/clis/deallocate', { allocationIds: from.map(idOf) })
    expect(await many(reseller, stranger, below)).toMatchObject({ status: 404 })
    expect(await many(reseller, user, stranger)).toMatchObject({ status: 200 })
    expect(await holdersOf(cliId)).toEqual(expect.arrayContaining([reseller.userId, sub.userId, stranger.userId]))
    expect(await many(boss, reseller, below, sub)).toMatchObject({ status: 200 })
    expect(await holdersOf(cliId)).toEqual([stranger.userId])
  })

  test('without userId from the only one to whom the reseller gave it; of several it must be said', async () => {
    const { cliId } = await shared({ holders: [reseller, user, user2] })
    expect(await deallocate(reseller, { cliId })).toMatchObject({
      status: 400,
      said: ['userId is required: several accounts hold it'],
    })
    expect(await deallocate(reseller, { cliId, userId: stranger.userId })).toMatchObject({
      status: 400,
      said: ['userId does not hold it from you'],
    })
    expect(await deallocate(reseller, { cliId, userId: user.userId })).toEqual(fine)
    expect(await deallocate(reseller, { cliId })).toEqual(fine)
    expect(await deallocate(reseller, { cliId })).toMatchObject({
      status: 409,
      said: ['cliId is allocated to nobody'],
    })
    expect(await holdersOf(cliId)).toEqual([reseller.userId])
  })

  test('a reseller cannot take what others hold, nor what came to a child from above the reseller', async () => {
    const { cliId } = await newLine(app)
    await allocate(boss, [{ cliId, userId: user.userId }])
    expect(await deallocate(reseller, { cliId, userId: user.userId })).toMatchObject({ status: 404 })
    expect(await deallocate(boss, { cliId: 999_999 })).toMatchObject({ status: 404, message: 'No data found' })
  })

  test('delete is the super admin’s removal, a reseller’s and a user’s giving back, whatever flag and account they claim', async () => {
    const { cliId } = await newLine(app, { holders: [reseller, user] })
    expect(await remove(user, { cliId, userId: reseller.userId, allocated: 1 })).toEqual(fine)
    expect(await holdersOf(cliId)).toEqual([reseller.userId])
    expect(await remove(user, { cliId, allocated: 0 })).toMatchObject({ status: 404 })
    await allocate(reseller, [{ cliId, userId: user.userId }])
    expect(await remove(reseller, { cliId, userId: reseller.userId, allocated: '2' })).toEqual(fine)
    expect(await holdersOf(cliId)).toEqual([])
    expect(await remove(boss, { cliId, userId: boss.userId, allocated: 1 })).toEqual(fine)
    expect(await remove(boss, { cliId, allocated: 1 })).toMatchObject({ status: 404 })
  })

  test('refused while one of those who would lose it has an unfinished campaign with it, naming it', async () => {
    const line = await newLine(app, { holders: [reseller, user] })
    const { cliId } = line
    const campaignId = await newCampaign(app, user, { line, status: 'paused', name: 'Dashain' })
    const used = {
      status: 409,
      message: 'Request Failed!! Please try again',
      said: ["cliId is used by 'Dashain' (Paused): wait until they are finished or stop them"],
    }
    expect(await remove(user, { cliId })).toEqual(used)
    expect(await remove(reseller, { cliId })).toEqual(used)
    expect(await remove(boss, { cliId })).toEqual(used)
    expect(await deallocate(boss, { cliId })).toEqual(used)
    expect(await deallocate(reseller, { cliId, userId: user.userId })).toEqual(used)
    expect(await holdersOf(cliId)).toEqual([reseller.userId, user.userId])
    await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
    expect(await deallocate(reseller, { cliId, userId: user.userId })).toEqual(fine)
  })

  test('an account that is deleted gives back all that it holds, with what it passed on', async () => {
    const a = await newLine(app, { holders: [reseller, sub] })
    const b = await shared({ holders: [reseller, user] })
    await app.db.transaction().execute((tx) => giveBackClis(tx, sub.userId))
    expect([await holdersOf(a.cliId), await holdersOf(b.cliId)]).toEqual([
      [reseller.userId],
      [reseller.userId, user.userId],
    ])
  })
})

test('composing and taking away at once: either the campaign is there and the CLI stays the user’s, or neither', async () => {
  const baseId = await newBase(app, user)
  const welcomePId = await newPrompt(app, user)
  const ways: ((cliId: number) => ReturnType<typeof remove>)[] = [
    (cliId) => remove(boss, { cliId }),
    (cliId) => deallocate(reseller, { cliId, userId: user.userId }),
    (cliId) => remove(user, { cliId }),
    (cliId) => remove(reseller, { cliId }),
    (cliId) => ask(boss, 'POST', '/api/obd/cli/update', { cliId, channels: 30 }),
  ]
  const outcomes = await Promise.all(
    Array.from({ length: 25 }, async (_, n) => {
      const { cli, cliId } = await newLine(app, { holders: [reseller, user] })
      const campaign = { campaignName: randomUUID(), templateId: 0, cli, baseId, welcomePId }
      const racers = [
        ...Array.from({ length: 3 }, () =>
          ask(user, 'POST', '/api/obd/campaign/compose', { ...campaign, campaignName: randomUUID() }),
        ),
        ways[n % ways.length]?.(cliId),
      ]
      // Either may start.
      const replies = await Promise.all(n % 2 === 0 ? racers : racers.toReversed())
      const statuses = replies.map((reply) => reply?.status ?? 0)
      expect(
        statuses.every((status) => [200, 400, 409].includes(status)),
        JSON.stringify(replies),
      ).toBe(true)
      const taken = (n % 2 === 0 ? replies.at(-1) : replies[0])?.status === 200
      const campaigns = await app.db.selectFrom('campaign').select('id').where('cli_id', '=', cliId).execute()
      return { taken, campaigns: campaigns.length }
    }),
  )
  for (const { taken, campaigns } of outcomes) expect(taken ? campaigns : -1).toBeLessThanOrEqual(0)
  for (const { taken, campaigns } of outcomes) if (!taken) expect(campaigns).toBeGreaterThan(0)
})
