// @module-tag exhaustive
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testFiles } from '../../../testing/files/test-files.ts'
import { startSimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { changeSetting } from '../../../modules/platform/actions.ts'
import { atEndOfFile } from '../../../testing/cleanup.ts'
import { spawnEngine, Witness } from '../../testing/crash/crash.ts'
import { engineDb } from '../../testing/db.ts'
import { dialAtAnyHour, flowsOver } from '../../testing/engine.ts'
import { busyNumbers, expectSoundFiles, newCampaign, newFixtures, threeLevels } from '../../testing/fixtures.ts'
import { until } from '../../../testing/until.ts'

/** At each an engine dies, while a talk waits for its notice to end. */
const deaths = [
  'agent answered arrives',
  'playToBridge sent',
  'playToBridge done',
  'bridgePlaybackEnded arrives',
] as const

/** A database with the notice on, and a dialer in a process of its own that is old enough to be a witness. */
async function setUp() {
  const at = await engineDb(4)
  await dialAtAnyHour(at)
  const folder = mkdtempSync(join(tmpdir(), 'ghanti-crash-notice-'))
  const simulator = await startSimulatorProcess({ speed: 1, folder })
  const simulatorUpBy = performance.now()
  atEndOfFile(async () => {
    await simulator.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const files = testFiles(folder)
  const { users, line } = await newFixtures(at, { users: 1, channels: 300 })
  const [user] = users
  if (!user) throw new Error('no user')
  for (const language of ['ne', 'en'])
    await at.pool.query(
      `insert into recording_notice (language, file_hash, duration_ms, changed_by) values ($1, $2, 1000, (select min(id) from users))`,
      [language, await files.putBytes(Buffer.from(`notice ${language}`))],
    )
  await at.db.transaction().execute((tx) => changeSetting(tx, 'recordingNotice', true, null))
  const { host, port } = simulator.dialer
  await at.db.updateTable('dialer').set({ host, port }).where('id', '=', line.dialerId).execute()
  await sleep(Math.max(0, 5500 - (performance.now() - simulatorUpBy))) // a younger dialer is no witness of what never left
  const order = { databaseUrl: at.url, filesFolder: folder, engineId: 'test', leaseMs: 4000, timeScale: 0.002 }
  return {
    at,
    user,
    line,
    flow: await flowsOver(files),
    witness: new Witness(join(folder, 'process-0.csv')),
    /** Loaded, and dialling from when it is called. */
    async engine(killAt: { what: string; nth: number } | null) {
      const engine = await spawnEngine()
      atEndOfFile(() => engine.kill())
      return { engine, begin: () => engine.begin({ ...order, logLevel: 'silent', asterisk: null, killAt }) }
    },
  }
}

// They mostly wait, so beside each other.
test.concurrent.each(deaths)(
  'an engine killed when ‘%s’ of a notice rings nobody twice; the two go on talking, and are not recorded after a notice whose end nobody saw',
  async (what) => {
    const { at, user, line, flow: flowOf, witness, engine } = await setUp()
    // 11 presses 1 after 2 s; 37 answers and hangs up after 10 s.
    const flow = flowOf(2, { agents: [{ number: '+9779860000037', key: '1' }] })
    const of = { flow, phones: [9_779_840_000_011], prices: threeLevels, retries: 0, reservePaisa: 400 }
    const campaignId = await newCampaign(at, { user, line, ...of })
    const [first, heir] = [await engine({ what, nth: 1 }), await engine(null)]
    first.begin()
    await until(what, () => first.engine.died !== null)
    expect(first.engine.died).toBe('SIGKILL')
    heir.begin()
    const campaign = at.db.selectFrom('campaign').select('status').where('id', '=', campaignId)
    await until('the campaign', async () => (await campaign.executeTakeFirstOrThrow()).status === 'complete')
    await heir.engine.kill()
    const { rows } = await at.pool.query(
      `select a.disposition, a.patch_bill_ms > 9000 as talked, a.recording, w.why from attempt a left join recording_withheld w on w.attempt_id = a.id where a.campaign_id = $1`,
      [campaignId],
    )
    expect(rows).toEqual([{ disposition: 'ANSWER', talked: true, recording: null, why: 'noNotice' }])
    witness.read()
    for (const [channelId, { starts, endedAt }] of witness.channels)
      expect({ channelId, starts, ended: endedAt !== null }).toEqual({ channelId, starts: 1, ended: true })
    expect(witness.channels.size).toBe(2)
    await expectSoundFiles(at)
    expect(await busyNumbers(at)).toEqual([])
  },
  300_000,
)
