// @module-tag exhaustive
// Cheaper: engine-detours.test.ts beside this has the detours, server/src/voice/dialer/recover/engine-restart.test.ts an engine that goes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectControl, createSimulatorClient } from '../../../drivers/telephony/simulator/client.ts'
import { startSimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { atEndOfFile } from '../../../testing/cleanup.ts'
import { Witness } from '../../testing/crash/crash.ts'
import { dialling, poolWith } from '../../testing/engine.ts'
import { expectSoundBooks, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { anotherTrunk, firstHost, newRoute, secondHost } from '../../testing/routes.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'

const speed = 20
const folder = mkdtempSync(join(tmpdir(), 'ghanti-detours-killed-'))
let simulator = await startSimulatorProcess({ speed, folder })
const upBy = performance.now()
atEndOfFile(async () => {
  await simulator.kill()
  rmSync(folder, { recursive: true, force: true })
})
const at = await dialling({ speed, timeScale: 0.01, inRealTime: true })

/** When the dialer is killed and comes back: around the statement that records a call's next trunk. */
let kills: { before: boolean } | null = null
async function restarted(isBefore: boolean): Promise<void> {
  if (kills?.before !== isBefore) return
  kills = null
  await simulator.kill()
  simulator = await startSimulatorProcess({ speed, folder, port: simulator.dialer.port })
}
const pool = poolWith(at, 'detour', async (send) => {
  await restarted(true)
  const reply = await send()
  await restarted(false)
  return reply
})

const moments = [
  { when: 'before', way: 'trunk', before: true, from: 9779840700000 },
  { when: 'after', way: 'trunk', before: false, from: 9779840800000 },
  { when: 'before', way: 'host', before: true, from: 9779840900000 },
  { when: 'after', way: 'host', before: false, from: 9779841100000 },
] as const
const ringsNobodyTwice =
  'a dialer killed $when it is recorded that calls go on over another $way rings nobody twice, and what nobody heard of is charged to nobody'
async function expectKilled({ way, before, from }: (typeof moments)[number]): Promise<void> {
  const fixtures = await newFixtures(at, { cps: 20 })
  const { user, line } = fixtures
  const { host, port } = simulator.dialer
  await at.db.updateTable('dialer').set({ host, port }).where('id', '=', line.dialerId).execute()
  await at.db.updateTable('dialer').set({ deleted_at: new Date() }).where('id', '<>', line.dialerId).execute() // one has this address
  await at.db.deleteFrom('dialer_lease').execute()
  if (way === 'host') await secondHost(at, line.trunkId)
  else {
    const second = await anotherTrunk(at, fixtures)
    await newRoute(at, fixtures, [
      { trunkId: line.trunkId, priority: 1, weight: 1 },
      { trunkId: second, priority: 2, weight: 1 },
    ])
  }
  await sleep(Math.max(0, 5500 - (performance.now() - upBy)))
  const control = await connectControl(simulator.dialer)
  await control.setTrunkFault(trunkName(line.trunkId), 'refusing', way === 'host' ? firstHost : undefined)
  kills = { before }
  const phones = Array.from({ length: 20 }, (_, n) => from + 100 * n + 46)
  const id = await newCampaign(at, { user, line, phones, flow: at.flow(0), retries: 0, reservePaisa: 40 })
  const engine = at.start({ pool, telephony: [createSimulatorClient()], engineId: `killed ${way} ${before}` })
  await at.status(id, 'complete')
  await engine.stop({ drainMs: 0 })
  await control.close()
  expect(kills).toBeNull()
  const { rows } = await at.pool.query<{ name: string; phone: number; disposition: string; cost_paisa: number }>(
    `select i.id || '-' || a.epoch || '-' || a.id as name, a.phone::float8 as phone, a.disposition, a.cost_paisa from attempt a, installation i where campaign_id = $1 order by a.id`,
    [id],
  )
  for (const { name, disposition, cost_paisa } of rows)
    expect([name, cost_paisa]).toEqual([name, disposition === 'ANSWER' ? 40 : 0])
  const answered = rows.filter(({ disposition }) => disposition === 'ANSWER').map(({ phone }) => phone)
  expect(new Set(answered).size).toBe(answered.length)
  const final = rows.filter(({ disposition }) => disposition === 'ANSWER' || disposition === 'LOST')
  expect(final.map(({ phone }) => phone).toSorted()).toEqual(phones)
  const witness = new Witness(join(folder, 'process-0.csv'))
  witness.read()
  for (const [channelId, { starts }] of witness.channels) expect([channelId, starts]).toEqual([channelId, 1])
  await expectSoundBooks(at)
}

/** Between the dialer's answer and the record, once over each way, the other moment for the other way. */
const inTurn = moments.filter(({ way, before }) => before === (way === 'trunk'))
test.each(inTurn)(ringsNobodyTwice, expectKilled)
test.each(moments.filter((one) => !inTurn.includes(one)))(ringsNobodyTwice, { tags: ['exhaustive'] }, expectKilled)
