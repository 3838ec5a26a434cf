/** An engine whose database is away: it begins no call, listens to those in progress, and writes what they did when the database is back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { kyselyOver, openPool } from '../../../db/pool.ts'
import type { CommandReply, DialerConnection, TelephonyDriver } from '../../../drivers/telephony/driver.ts'
import { connectControl, createSimulatorClient } from '../../../drivers/telephony/simulator/client.ts'
import type { TranscriptLine } from '../../../drivers/telephony/simulator/channel.ts'
import { startSimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { clusterFolder } from '../../../testing/cluster.ts'
import { Proxy as Network } from '../../../testing/proxy.ts'
import type { EngineOptions } from '../../engine.ts'
import { enginePoolOptions } from '../../../dispatch/statement.ts'
import { expectAttemptsMatchRecord, expectNobodyTwice } from '../../testing/compare-with-dialer-record.ts'
import { Witness } from '../../testing/crash/crash.ts'
import { engineDb } from '../../testing/db.ts'
import { dialling, instead, poolWith, type Dialling } from '../../testing/engine.ts'
import { expectPaid } from '../../testing/expected-charges.ts'
import { KillablePostgres } from '../../testing/fault-injection/postgres.ts'
import { expectSoundBooks, newCampaign, newFixtures, type EngineDb, type NewCampaign } from '../../testing/fixtures.ts'
import { until } from '../../../testing/until.ts'

/** The longest outage has what the others have; engine-kills.test.ts kills PostgreSQL, and engine-gap.test.ts has an engine whose lease was taken. */
const exhaustive = { tags: ['exhaustive'] }

/** Shorter than in production. */
const shortLeaseMs = 3000
const calls = 10
/** They answer, press a key that the menu does not have 2 s later, and 1 after another 4 s. */
const pressing = Array.from({ length: calls }, (_, i) => 9779800000021 + 100 * i)

/** A network between an engine and the database. */
async function networkTo(url: string): Promise<{ network: Network; url: string }> {
  const { hostname, port } = new URL(url)
  const network = await Network.to({ host: hostname, port: Number(port) })
  onTestFinished(() => network.close())
  return { network, url: Object.assign(new URL(url), { port: String(network.port) }).href }
}

function poolOver(connectionString: string, options = enginePoolOptions) {
  const pool = openPool({ connectionString, max: 8, name: 'away-engine', options, asOwner: options === '' }, () => {})
  onTestFinished(() => pool.end())
  return pool
}

/** A campaign over a dialer in a process of its own. `at`: the database. */
async function setUp(at: Dialling, of: Pick<NewCampaign, 'phones' | 'flow'> & Partial<NewCampaign>) {
  const folder = mkdtempSync(join(tmpdir(), 'ghanti-away-'))
  const simulator = await startSimulatorProcess({ speed: 1, folder, transcripts: true })
  const control = await connectControl(simulator.dialer)
  onTestFinished(async () => {
    await control.close()
    await simulator.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const fixtures = await newFixtures(at, { cps: 100, channels: 300 })
  const { host, port } = simulator.dialer
  const { dialerId } = fixtures.line
  await at.db.updateTable('dialer').set({ host, port }).where('id', '=', dialerId).execute()
  await at.db.deleteFrom('dialer_lease').where('dialer_id', '=', dialerId).execute()
  const campaignId = await newCampaign(at, { user: fixtures.user, line: fixtures.line, retries: 0, ...of })
  const witness = new Witness(join(folder, 'process-0.csv'))
  const channels = () => {
    witness.read()
    return [...witness.channels.values()]
  }
  return {
    fixtures,
    campaignId,
    witness,
    dialer: simulator.dialer,
    channels,
    /** The engine has said that it lives since now. */
    async back(name: string): Promise<void> {
      const { now } = (await at.pool.query<{ now: Date }>('select clock_timestamp() as now')).rows[0] ?? {}
      await until(`${name} is back`, async () => {
        const row = at.db
          .selectFrom('engine')
          .select('seen_at')
          .where('engine_id', '=', name)
          .where('seen_at', '>', now ?? new Date())
        return (await row.executeTakeFirst()) !== undefined
      })
    },
    /** What each caller heard and pressed, by the dialer. */
    heard: () => Promise.all([...witness.channels.keys()].map((channelId) => control.transcript(channelId))),
    epoch: async () =>
      (
        await at.db
          .selectFrom('dialer_lease')
          .select('epoch')
          .where('dialer_id', '=', dialerId)
          .executeTakeFirstOrThrow()
      ).epoch,
    allAnswered: () =>
      until('all have answered', () => channels().filter((one) => one.answeredAt !== null).length === of.phones.length),
    allOver: () => until('all calls are over', () => channels().every((one) => one.endedAt !== null)),
    complete: () =>
      until('the campaign is complete', async () => {
        const row = at.db.selectFrom('campaign').select('status').where('id', '=', campaignId)
        return (await row.executeTakeFirstOrThrow()).status === 'complete'
      }),
    attempts: () =>
      at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', campaignId).orderBy('no').execute(),
  }
}

/** Each attempt, its pulses and its money agree with the dialer's record, and nobody was called twice. */
async function expectAccounted(
  at: EngineDb,
  { witness, fixtures, channels }: Awaited<ReturnType<typeof setUp>>,
): Promise<void> {
  channels()
  expectNobodyTwice(witness)
  await expectPaid(at, fixtures, await expectAttemptsMatchRecord(at, witness))
  await expectSoundBooks(at)
}

const freshDatabase = async (): Promise<Dialling> =>
  dialling({ speed: 1, timeScale: 1, at: await engineDb(8), inRealTime: true })

async function postgresOfItsOwn(): Promise<{ at: Dialling; postgres: KillablePostgres }> {
  const folder = clusterFolder('engine-restart')
  const postgres = await KillablePostgres.start(join(folder, 'cluster'))
  onTestFinished(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const pool = poolOver(postgres.url, '')
  const at = await dialling({
    speed: 1,
    timeScale: 1,
    inRealTime: true,
    at: { pool, db: kyselyOver(pool), url: postgres.url, engine: poolOver(postgres.url) },
  })
  return { at, postgres }
}

function start(at: Dialling, options: Partial<EngineOptions>): void {
  const engine = at.start({ telephony: [createSimulatorClient()], ...options })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
}

const menu = (at: Dialling) => at.flow(1, { menuWaitSeconds: 20, rePrompts: 1 })

/** Says when the dialer reports that another client has it. */
function reporting(connection: DialerConnection, replaced: () => void): Pick<DialerConnection, 'onEvents'> {
  return {
    onEvents: (listener) =>
      connection.onEvents((events) => {
        if (events.some(({ type }) => type === 'replaced')) replaced()
        listener(events)
      }),
  }
}

/** After their last key, callers heard what follows it, and then the engine hung up. */
function expectGuided(heard: readonly TranscriptLine[][], key: string): void {
  for (const lines of heard) {
    const told = lines.map(({ what, detail }) => (what === 'heard' ? what : detail))
    expect(told.slice(-3)).toEqual([key, 'heard', 'hangUp'])
  }
}

type Outage = { leaseMs: number; how: 'cut' | 'stall' }
const keysAreHeard =
  'while the database $why, keys are heard and acted upon, calls end as their flow says, and all of it is written afterwards'
async function expectKeysHeard(of: Outage): Promise<void> {
  const at = await freshDatabase()
  const { network, url } = await networkTo(at.url)
  const set = await setUp(at, { phones: pressing, flow: menu(at) })
  start(at, { pool: poolOver(url), leaseMs: of.leaseMs })
  await set.allAnswered()
  const epoch = await set.epoch()

  network[of.how]()
  await set.allOver()
  expect(await set.attempts()).toEqual([])
  network.mend()

  expectGuided(await set.heard(), '1')
  await set.complete()
  expect(await set.epoch()).toBe(epoch)
  const attempts = await set.attempts()
  expect(attempts.map(({ disposition, keys, ended_by }) => ({ disposition, keys, ended_by }))).toEqual(
    pressing.map(() => ({ disposition: 'ANSWER', keys: '1', ended_by: 'us' })),
  )
  await expectAccounted(at, set)
}

test.each([{ leaseMs: shortLeaseMs, why: 'is away for longer than the lease lasts', how: 'cut' as const }])(
  keysAreHeard,
  expectKeysHeard,
)

test.each([
  { leaseMs: 10_000, why: 'is away for less than the lease lasts', how: 'cut' as const },
  { leaseMs: shortLeaseMs, why: 'says nothing for longer than the lease lasts', how: 'stall' as const },
])(keysAreHeard, exhaustive, expectKeysHeard)

test(
  'when PostgreSQL dies and is started again, callers notice nothing, and what they did meanwhile is written',
  exhaustive,
  async () => {
    const { at, postgres } = await postgresOfItsOwn()
    const set = await setUp(at, { phones: pressing, flow: menu(at) })
    start(at, {})
    await set.allAnswered()
    const epoch = await set.epoch()

    postgres.kill()
    await set.allOver()
    await postgres.restart()

    expectGuided(await set.heard(), '1')
    await set.complete()
    expect(await set.epoch()).toBe(epoch)
    expect((await set.attempts()).map(({ keys }) => keys)).toEqual(pressing.map(() => '1'))
    await expectAccounted(at, set)
  },
)

test('an engine that is cut off from the database for longer than its lease loses its dialer to another one: it stops at once, and each call is dialled and settled once', async () => {
  const at = await freshDatabase()
  const { network, url } = await networkTo(at.url)
  // they listen for longer than everything here takes
  const phones = Array.from({ length: calls }, (_, i) => 9779800000050 + 100 * i)
  const set = await setUp(at, { phones, flow: at.flow(1, { menuWaitSeconds: 5, rePrompts: 1 }) })
  const commandsAt: number[] = []
  let replacedAt = Infinity
  const noted = (reply: Promise<CommandReply>): Promise<CommandReply> => {
    commandsAt.push(performance.now())
    return reply
  }
  const watched = instead(createSimulatorClient(), (connection) => ({
    ...reporting(connection, () => (replacedAt = performance.now())),
    play: (...of) => noted(connection.play(...of)),
    hangUp: (...of) => noted(connection.hangUp(...of)),
  }))
  start(at, { telephony: [watched], pool: poolOver(url), engineId: 'away', leaseMs: shortLeaseMs })
  await set.allAnswered()
  start(at, { engineId: 'other' })
  network.cut()
  await until('the other engine has the dialer', () => replacedAt < Infinity)
  expect(await set.epoch()).toBe(2)
  await sleep(shortLeaseMs + 500)
  network.mend()
  await set.complete()
  expect(commandsAt.filter((moment) => moment > replacedAt)).toEqual([])
  const attempts = await set.attempts()
  expect(attempts.map(({ disposition, ended_by }) => ({ disposition, ended_by }))).toEqual(
    phones.map(() => ({ disposition: 'ANSWER', ended_by: 'us' })),
  )
  await expectAccounted(at, set)
}, 120_000)

test(
  'an engine that hears neither of the database nor of the dialer does not take the dialer back from the engine that has it by then',
  exhaustive,
  async () => {
    const at = await freshDatabase()
    const { network, url } = await networkTo(at.url)
    const set = await setUp(at, { phones: pressing, flow: menu(at) })
    const nearDialer = await Network.to(set.dialer)
    onTestFinished(() => nearDialer.close())
    const client = createSimulatorClient()
    const far: TelephonyDriver = {
      name: 'simulator',
      connect: (address) => client.connect({ ...address, port: nearDialer.port }),
    }
    start(at, { telephony: [far], pool: poolOver(url), engineId: 'away' })
    await set.allAnswered()
    let replaced = 0
    let connected = 0
    const watched = instead(client, (connection) => {
      connected += 1
      return reporting(connection, () => (replaced += 1))
    })
    start(at, { telephony: [watched], engineId: 'other' })
    network.cut()
    nearDialer.cut()
    await until('the other engine has the dialer', () => connected > 0)
    nearDialer.mend()
    await set.complete()
    network.mend()
    await set.back('away')
    expect([connected, replaced, await set.epoch()]).toEqual([1, 0, 2])
    await expectAccounted(at, set)
  },
)

test(
  'while the database is away no agent is rung: callers who ask for one hear the menu again, as when nobody answers',
  { ...exhaustive, timeout: 120_000 },
  async () => {
    const at = await freshDatabase()
    const { network, url } = await networkTo(at.url)
    const agents = [{ key: '1' as const, number: '+9779721100509' }]
    const set = await setUp(at, {
      phones: [9779800000021],
      flow: at.flow(2, { agents, menuWaitSeconds: 4, rePrompts: 2 }),
      reservePaisa: 4000,
    })
    start(at, { pool: poolOver(url) })
    await set.allAnswered()
    network.cut()
    const pressed = (lines: readonly TranscriptLine[]) => lines.findIndex(({ detail }) => detail === '1')
    const hearsMenu = async () => {
      const [lines = []] = await set.heard()
      return pressed(lines) >= 0 && lines.slice(pressed(lines)).some(({ what }) => what === 'heard')
    }
    await until('the caller hears something after the key', hearsMenu)
    expect(set.channels()).toHaveLength(1)
    network.mend()
    await set.complete()
    const [attempt] = await set.attempts()
    expect(attempt).toMatchObject({
      disposition: 'ANSWER',
      keys: '1',
      agent: null,
      agent_missed: 'notReached',
      ended_by: 'us',
    })
    await expectAccounted(at, set)
  },
)

test(
  'a talk with an agent goes on when the money for its next minute can be reserved only at the third try',
  exhaustive,
  async () => {
    const at = await dialling({ speed: 20, timeScale: 0.001, at: await engineDb(8), inRealTime: true })
    let asked = 0
    const pool = poolWith(at, 'extend', async (send) => {
      asked += 1
      if (asked === 2 || asked === 3) throw new Error('connect ECONNREFUSED')
      return await send()
    })
    // both stay until the money is gone
    const { user, line } = await newFixtures(at, { rupees: 15 })
    const agents = [{ key: '1' as const, number: '+9779721100533' }]
    const of = { user, line, phones: [9779800000011], flow: at.flow(2, { agents }), reservePaisa: 400, retries: 0 }
    const campaignId = await newCampaign(at, of)
    start(at, { pool, telephony: [at.simulator] })
    await at.status(campaignId, 'complete')
    const { patch_bill_ms } = await at.db.selectFrom('attempt').select('patch_bill_ms').executeTakeFirstOrThrow()
    expect(patch_bill_ms).toBeGreaterThan(120_000)
    await expectSoundBooks(at)
  },
)
