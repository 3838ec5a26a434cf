// @module-tag exhaustive
// telephony/takeover.test.ts has the killed engines, over real SIP; engine-gap.test.ts and engine-database-away.test.ts have one whose lease was taken.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { testFiles } from '../../../testing/files/test-files.ts'
import { startSimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { spawnEngine, Witness, type EngineProcess } from '../../testing/crash/crash.ts'
import { dialAtAnyHour, flowsOver } from '../../testing/engine.ts'
import { expectSoundFiles, newCampaign, newFixtures, numbersEnding } from '../../testing/fixtures.ts'
import { engineDb } from '../../testing/db.ts'
import { until } from '../../../testing/until.ts'

/** A call lasts 3 s and is paid for 15 s: whoever answers while no engine runs must hear nothing before that. */
const speed = 1
const promptMs = 2000
/** A younger dialer cannot prove that nothing was sent. */
const witnessMs = 5500
/** As in production. */
const leaseMs = 10_000
/** Whoever waited for its end after an engine's death, or after the start of the next one, would be noticed on a busy machine too. */
const longLeaseMs = 40_000

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A campaign that no engine has yet, over a network that survives engines; everybody answers and listens. */
async function setUp(rows: number, callsPerSecond: number, leaseMs: number) {
  const at = await engineDb(4)
  await dialAtAnyHour(at)
  const folder = mkdtempSync(join(tmpdir(), 'ghanti-takeover-'))
  const filesFolder = join(folder, 'files')
  const flow = await flowsOver(testFiles(filesFolder))
  const simulator = await startSimulatorProcess({ speed, folder })
  const simulatorUpBy = performance.now()
  const fixtures = await newFixtures(at, { cps: callsPerSecond, channels: 300 })
  const { host, port } = simulator.dialer
  await at.db.updateTable('dialer').set({ host, port }).where('id', '=', fixtures.line.dialerId).execute()
  // nobody has ever held it
  await at.db.deleteFrom('dialer_lease').execute()
  const phones = numbersEnding(['50', '51', '52', '53', '54'], rows / 5)
  const of = { user: fixtures.user, line: fixtures.line, phones, flow: flow(0), reservePaisa: 400, channels: 200 }
  const campaignId = await newCampaign(at, of)
  const engines: EngineProcess[] = []
  ends.push(async () => {
    for (const engine of engines) {
      engine.signal('SIGCONT')
      await engine.kill()
    }
    await simulator.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const witness = new Witness(join(folder, 'process-0.csv'))
  /** When each channel of this epoch, or of any, was dialled. */
  const dialled = (epoch?: number): number[] => {
    witness.read()
    const ofEpoch = [...witness.channels].filter(([id]) => epoch === undefined || epochOf(id) === epoch)
    return ofEpoch.map(([, { startedAt }]) => startedAt)
  }
  await sleep(Math.max(0, witnessMs - (performance.now() - simulatorUpBy)))
  return {
    at,
    fixtures,
    campaignId,
    witness,
    dialled,
    /** When the next engine with this epoch dials its first call. */
    firstOf: (epoch: number): Promise<number> =>
      until(`a call of epoch ${epoch}`, () => (dialled(epoch).length > 0 ? Math.min(...dialled(epoch)) : null)),
    async load(): Promise<EngineProcess> {
      const engine = await spawnEngine()
      engines.push(engine)
      return engine
    },
    begin(engineId: string, engine: EngineProcess): EngineProcess {
      const order = { engineId, leaseMs, timeScale: 1, logLevel: 'silent', asterisk: null, killAt: null }
      engine.begin({ databaseUrl: at.url, filesFolder, ...order })
      return engine
    },
    upNow: () => [...witness.channels.values()].filter((one) => one.answeredAt !== null && one.endedAt === null).length,
    async complete(): Promise<void> {
      const row = at.db.selectFrom('campaign').select('status').where('id', '=', campaignId)
      await until('the campaign is complete', async () => (await row.executeTakeFirstOrThrow()).status === 'complete')
      witness.read()
    },
  }
}

const epochOf = (channelId: string): number => Number(/-(\d+)-\d+-c$/.exec(channelId)?.[1])

test('when an engine is killed, the one beside it dials before the lease would have ended, and so does one that is started anew under the same name; whoever answered hears all, and nobody is dialled twice', async () => {
  const { at, campaignId, witness, dialled, firstOf, load, begin, upNow, complete } = await setUp(150, 10, longLeaseMs)
  // before any of them dials: on a busy machine, code takes longer to load than the campaign lasts
  const [one, two, three] = [await load(), await load(), await load()]
  const first = begin('one', one)
  await firstOf(1)
  const second = begin('two', two)
  await until('many are up', () => dialled().length > 30 && upNow() > 5)
  await first.kill()
  let since = Date.now()
  expect((await firstOf(2)) - since).toBeLessThan(longLeaseMs / 2)

  await until('many are up', () => dialled(2).length > 30 && upNow() > 5)
  await second.kill()
  await sleep(500)
  since = Date.now()
  begin('two', three)
  expect((await firstOf(3)) - since).toBeLessThan(longLeaseMs / 2)

  await complete()
  for (const [channelId, { starts }] of witness.channels)
    expect({ channelId, starts }).toEqual({ channelId, starts: 1 })
  const called = [...witness.channels.values()].map((channel) => channel.number)
  expect(called).toHaveLength(new Set(called).size)
  const { rows } = await at.pool.query<{ disposition: string; whole: boolean; n: number }>(
    `select disposition, bill_ms >= $2 as whole, count(*)::int as n from attempt
     where campaign_id = $1 and disposition <> 'CANCEL' group by 1, 2`,
    [campaignId, promptMs],
  )
  expect(rows).toEqual([{ disposition: 'ANSWER', whole: true, n: 150 }])
  await expectSoundFiles(at)
}, 120_000)

test('an engine that was frozen for 25 s beside another one neither dials nor writes nor hangs up when it wakes up', async () => {
  const { at, fixtures, witness, dialled, firstOf, load, begin, complete } = await setUp(150, 5, leaseMs)
  const [one, two] = [await load(), await load()]
  const first = begin('one', one)
  await firstOf(1)
  begin('two', two)
  await until('some were dialled', () => dialled(1).length > 10)
  first.signal('SIGSTOP')
  const frozenAt = Date.now()
  const lasts = await at.db
    .selectFrom('dialer_lease')
    .select('expires_at')
    .where('epoch', '=', 1)
    .executeTakeFirstOrThrow()
  const next = await firstOf(2)
  expect(next, 'its connections are alive: the next engine waits for the lease to end').toBeGreaterThan(
    lasts.expires_at.getTime(),
  )
  await sleep(25_000 - (Date.now() - frozenAt))
  const steps = at.db.selectFrom('attempt_step').select(['attempt_id', 'state']).orderBy('attempt_id')
  expect((await steps.execute()).length).toBeGreaterThan(0)
  const alive = await at.db.selectFrom('attempt_open').select(['id', 'epoch']).execute()
  expect(alive.filter((one) => Number(one.epoch) === 2).length).toBeGreaterThan(0)
  const wokeAt = Date.now() // what it had sent before, a busy dialer may read later
  first.signal('SIGCONT')
  await sleep(6000)
  expect(dialled(1).filter((startedAt) => startedAt >= wokeAt)).toEqual([])
  expect(first.died).toBeNull()
  const lease = await at.db
    .selectFrom('dialer_lease')
    .select(['engine_id', 'epoch'])
    .where('dialer_id', '=', fixtures.line.dialerId)
    .executeTakeFirstOrThrow()
  expect(lease).toMatchObject({ engine_id: 'two', epoch: 2 })
  await complete()
  for (const [channelId, { starts }] of witness.channels)
    expect({ channelId, starts }).toEqual({ channelId, starts: 1 })
  const { rows } = await at.pool.query<{ ends: string }>(
    `select distinct disposition || ' ' || coalesce(substring(trail from '>.*'), '') as ends from attempt
     where epoch = 2 and disposition <> 'CANCEL'`, // a busy machine gives some back
  )
  expect(rows).toEqual([{ ends: 'ANSWER >end' }])
  await expectSoundFiles(at)
}, 120_000)
