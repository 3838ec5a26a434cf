import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { localFiles } from '../../drivers/files/local.ts'
import { startSimulatorProcess } from '../../drivers/telephony/simulator/testing.ts'
import { changeSetting } from '../../modules/platform/actions.ts'
import { spawnEngine, Witness, type EngineProcess } from '../testing/crash.ts'
import { engineDb } from '../testing/db.ts'
import { dialAtAnyHour, flowsOver } from '../testing/engine.ts'
import { busyNumbers, expectSoundFiles, newCampaign, newFixtures, threeLevels } from '../testing/fixtures.ts'

/** At each an engine dies, while a talk waits for its notice to end. */
const deaths = [
  'agent answered arrives',
  'playToBridge sent',
  'playToBridge done',
  'bridgePlaybackEnded arrives',
] as const
const timeoutMs = 60_000

const at = await engineDb(4)
await dialAtAnyHour(at)
const folder = mkdtempSync(join(tmpdir(), 'ghanti-crash-notice-'))
const simulator = await startSimulatorProcess({ speed: 1, folder })
const simulatorUpBy = performance.now()
const witness = new Witness(join(folder, 'process-0.csv'))
const files = localFiles(folder)
const flowOf = await flowsOver(files)
const engines: EngineProcess[] = []
afterAll(async () => {
  for (const engine of engines) await engine.kill()
  await simulator.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function engineInWaiting(): Promise<EngineProcess> {
  const engine = await spawnEngine()
  engines.push(engine)
  return engine
}

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; !(await holds()); await sleep(50))
    if (performance.now() > deadline) throw new Error(`${what}: not in time`)
}

async function noticeIsOn(): Promise<void> {
  for (const language of ['ne', 'en'])
    await at.pool.query(
      `insert into recording_notice (language, file_hash, duration_ms, changed_by) values ($1, $2, 1000, (select min(id) from users))`,
      [language, await files.putBytes(Buffer.from(`notice ${language}`))],
    )
  await at.db.transaction().execute((tx) => changeSetting(tx, 'recordingNotice', true, null))
}

const order = {
  databaseUrl: at.url,
  filesFolder: folder,
  engineId: 'test',
  leaseMs: 4000,
  timeScale: 0.002,
  logLevel: 'silent',
  asterisk: null,
}

test('an engine killed at four points of a notice rings nobody twice; the two go on talking, and are not recorded after a notice whose end nobody saw', async () => {
  const { users, line } = await newFixtures(at, { users: 1, channels: 300 })
  const [user] = users
  if (!user) throw new Error('no user')
  const { host, port } = simulator.dialer
  await at.db.updateTable('dialer').set({ host, port }).where('id', '=', line.dialerId).execute()
  await noticeIsOn()
  await sleep(Math.max(0, 5500 - (performance.now() - simulatorUpBy))) // a younger dialer is no witness of what never left
  let next = engineInWaiting()
  for (const [n, what] of deaths.entries()) {
    const engine = await next
    next = engineInWaiting()
    // 11 presses 1 after 2 s; 37 answers and hangs up after 10 s.
    const flow = flowOf(2, { agents: [{ number: `+9779860000${n}37`, key: '1' }] })
    const of = { flow, phones: [9_779_840_000_011 + 100 * n], prices: threeLevels, retries: 0, reservePaisa: 400 }
    const campaignId = await newCampaign(at, { user, line, ...of })
    engine.begin({ ...order, killAt: { what, nth: 1 } })
    await until(what, () => engine.died !== null)
    expect(`${what}: ${engine.died}`).toBe(`${what}: SIGKILL`)
    const heir = await next
    next = engineInWaiting()
    heir.begin({ ...order, killAt: null })
    const isOver = async () => {
      const { status } = await at.db
        .selectFrom('campaign')
        .select('status')
        .where('id', '=', campaignId)
        .executeTakeFirstOrThrow()
      return status === 'complete'
    }
    await until(`the campaign after ${what}`, isOver)
    await heir.kill()
    const { rows } = await at.pool.query(
      `select a.disposition, a.patch_bill_ms > 9000 as talked, a.recording, w.why from attempt a left join recording_withheld w on w.attempt_id = a.id where a.campaign_id = $1`,
      [campaignId],
    )
    expect([what, rows]).toEqual([what, [{ disposition: 'ANSWER', talked: true, recording: null, why: 'noNotice' }]])
  }
  witness.read()
  for (const [channelId, { starts, endedAt }] of witness.channels)
    expect({ channelId, starts, ended: endedAt !== null }).toEqual({ channelId, starts: 1, ended: true })
  expect(witness.channels.size).toBe(2 * deaths.length)
  await expectSoundFiles(at)
  expect(await busyNumbers(at)).toEqual([])
}, 300_000)
