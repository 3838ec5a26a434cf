import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { clientConfig } from '../../../../db/pool.ts'
import { endedRows } from '../../../../modules/exports/store-rows.ts'
import { reportRows } from '../../../../modules/reports/store-rows.ts'
import { polling } from '../../../../testing/timeouts.ts'
import { newGroup, type Group } from '../../../testing/cli-groups.ts'
import { dialling, instead } from '../../../testing/engine.ts'
import { counts, expectSoundBooks, newCampaign, newFixtures, type Fixtures } from '../../../testing/fixtures.ts'
import { anotherTrunk, newRoute } from '../../../testing/routes.ts'

/** Which caller ID a call shows is in the others of this file. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 50, timeScale: 0.004 })
/** What the operator was shown, by the number that was called. */
const dialled = new Map<string, string>()
const driver = instead(at.simulator, (connection) => ({
  dial: async (request) => {
    dialled.set(request.number, request.cli)
    return await connection.dial(request)
  },
}))
at.start({ telephony: [driver] })

const numbers = (n: number, suffix: number, from = 9779860000000) =>
  Array.from({ length: n }, (_, i) => from + 100 * i + suffix)
/** 46 rings and answers; 02 rings and never does. */
const answering = (n: number, from?: number) => numbers(n, 46, from)
const unanswered = (n: number) => numbers(n, 2, 9779840000000)

const campaign = ({ user, line }: Fixtures, group: Group, phones: number[], more: { retries?: number } = {}) =>
  newCampaign(at, {
    user,
    line: { ...line, cliId: group.cliId },
    phones,
    flow: at.flow(0),
    retries: 0,
    reservePaisa: 40,
    ...more,
  })
const shown = (campaignId: number) =>
  at.db
    .selectFrom('attempt')
    .select(['phone', 'cli_id', 'trunk_id', 'attempt_no'])
    .where('campaign_id', '=', campaignId)
    .orderBy('id')
    .execute()
const byPhone = async (campaignId: number) =>
  new Map((await shown(campaignId)).map(({ phone, cli_id }) => [phone, cli_id]))
const mayShow = (trunkId: number, shownClis: string[]) =>
  at.db
    .updateTable('trunk')
    .set({ sip_options: JSON.stringify({ ...plainSipOptions, shownClis }) })
    .where('id', '=', trunkId)
    .execute()

test('each call of a group’s campaign shows one of its caller IDs, evenly; a number sees the same one in retries and in later campaigns', async () => {
  const fixtures = await newFixtures(at, { cps: 200 })
  const group = await newGroup(at, fixtures, { size: 4 })
  const phones = [...answering(160), ...unanswered(40)]
  const id = await campaign(fixtures, group, phones, { retries: 2 })
  await at.status(id, 'complete')
  const attempts = await shown(id)
  expect(attempts).toHaveLength(160 + 40 * 3)
  for (const [, ofOne] of Map.groupBy(attempts, ({ phone }) => phone))
    expect(new Set(ofOne.map(({ cli_id }) => cli_id)).size).toBe(1)
  const first = await byPhone(id)
  for (const { cliId } of group.members)
    expect([...first.values()].filter((cli) => cli === cliId).length).toBeGreaterThan(25)
  const later = await campaign(fixtures, group, answering(160))
  await at.status(later, 'complete')
  for (const [phone, cliId] of await byPhone(later)) expect(first.get(phone)).toBe(cliId)
  await expectSoundBooks(at)
})

test('the report and the rows of a campaign say which caller ID each call showed', exhaustive, async () => {
  const fixtures = await newFixtures(at, { cps: 100 })
  const group = await newGroup(at, fixtures, { size: 3 })
  const id = await campaign(fixtures, group, answering(30, 9779880000000))
  await at.status(id, 'complete')
  const numberOf = new Map(group.members.map(({ cliId, cli }) => [cliId, cli]))
  const expected = new Map((await shown(id)).map(({ phone, cli_id }) => [phone, numberOf.get(cli_id ?? 0)]))
  const client = new Client(clientConfig({ connectionString: at.url, name: 'ghanti-report' }))
  await client.connect()
  try {
    await client.query('begin')
    for (const read of [reportRows(client, id, 'cc'), endedRows(client, id)]) {
      const said = new Map<number, string | null>()
      for await (const rows of read) for (const { phone, cli } of rows) said.set(phone, cli)
      expect(said).toEqual(expected)
    }
  } finally {
    await client.end()
  }
})

test('what the operator is shown is the caller ID that the attempt says', async () => {
  const fixtures = await newFixtures(at, { cps: 100 })
  const group = await newGroup(at, fixtures, { size: 3 })
  const id = await campaign(fixtures, group, answering(30, 9779870000000))
  await at.status(id, 'complete')
  const numberOf = new Map(group.members.map(({ cliId, cli }) => [cliId, cli]))
  const attempts = await shown(id)
  expect(attempts).toHaveLength(30)
  for (const { phone, cli_id } of attempts) expect(dialled.get(`+${phone}`)).toBe(numberOf.get(cli_id ?? 0))
})

test('no caller ID of a group has more calls than channels; numbers whose own is full see the next, and the campaign ends', async () => {
  const fixtures = await newFixtures(at, { cps: 400 })
  const group = await newGroup(at, fixtures, { size: 3, channels: 2 })
  const id = await campaign(fixtures, group, answering(120))
  await at.status(id, 'complete')
  expect(await counts(at, id)).toMatchObject({ answered: 120, done: 120 })
  await expectSoundBooks(at) // the checker knows the channels of each
})

test('over each trunk of a route, calls show the caller IDs that its operator allows', async () => {
  const fixtures = await newFixtures(at, { cps: 40, channels: 6 })
  const first = fixtures.line.trunkId
  const second = await anotherTrunk(at, fixtures, { cps: 40, channels: 6 })
  const group = await newGroup(at, fixtures, { size: 3 })
  const [one, ...others] = group.members
  await mayShow(first, [one?.cli ?? ''])
  await mayShow(
    second,
    others.map(({ cli }) => cli),
  )
  await newRoute(at, { ...fixtures, line: { ...fixtures.line, cliId: group.cliId } }, [
    { trunkId: first, priority: 1, weight: 1 },
    { trunkId: second, priority: 1, weight: 1 },
  ])
  const id = await campaign(fixtures, group, answering(120))
  await at.status(id, 'complete')
  const over = Map.groupBy(await shown(id), ({ trunk_id }) => trunk_id)
  expect(new Set(over.get(first)?.map(({ cli_id }) => cli_id))).toEqual(new Set([one?.cliId]))
  expect(new Set(over.get(second)?.map(({ cli_id }) => cli_id))).toEqual(new Set(others.map(({ cliId }) => cliId)))
  await expectSoundBooks(at)
})

test(
  'a campaign none of whose caller IDs may be shown dials nothing, says so, and goes on when one may be',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { cps: 100 })
    const group = await newGroup(at, fixtures, { size: 2 })
    const { trunkId } = fixtures.line
    await mayShow(trunkId, ['1414'])
    const id = await campaign(fixtures, group, answering(20))
    const reason = async () =>
      (await at.db.selectFrom('campaign').select('reason').where('id', '=', id).executeTakeFirstOrThrow()).reason
    await vi.waitFor(async () => expect(await reason()).toMatch(/^trunk .+ may not show caller ID group .+$/), polling)
    expect(await shown(id)).toEqual([])
    await at.db
      .updateTable('cli')
      .set({ trunk_id: null })
      .where(
        'id',
        'in',
        group.members.map(({ cliId }) => cliId),
      )
      .execute()
    await vi.waitFor(async () => expect(await reason()).toMatch(/^no caller ID of group .+ is active$/), polling)
    await at.db
      .updateTable('cli')
      .set({ trunk_id: trunkId })
      .where('id', '=', group.members[1]?.cliId ?? 0)
      .execute()
    await mayShow(trunkId, [])
    await at.status(id, 'complete')
    expect(new Set((await shown(id)).map(({ cli_id }) => cli_id))).toEqual(new Set([group.members[1]?.cliId]))
    await expectSoundBooks(at)
  },
)

test(
  'a caller ID is not shown over a trunk that may not show it: its calls go over the next of its route',
  exhaustive,
  async () => {
    const fixtures = await newFixtures(at, { cps: 100 })
    const { line, user } = fixtures
    const second = await anotherTrunk(at, fixtures, { cps: 100 })
    await mayShow(line.trunkId, ['1414', '9801234500-9801234599'])
    await newRoute(at, fixtures, [
      { trunkId: line.trunkId, priority: 1, weight: 1 },
      { trunkId: second, priority: 2, weight: 1 },
    ])
    const id = await newCampaign(at, {
      user,
      line,
      phones: answering(40),
      flow: at.flow(0),
      retries: 0,
      reservePaisa: 40,
    })
    await at.status(id, 'complete')
    expect(new Set((await shown(id)).map(({ trunk_id }) => trunk_id))).toEqual(new Set([second]))
    await expectSoundBooks(at)
  },
)
