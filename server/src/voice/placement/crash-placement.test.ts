// @module-tag exhaustive
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testFiles } from '../../testing/files/test-files.ts'
import { newLine } from '../../testing/seed.ts'
import type { EngineProcess } from '../testing/crash/crash.ts'
import { crashFixtures } from '../testing/crash/crash-fixtures.ts'
import { flowsOver } from '../testing/engine.ts'
import { expectSoundFiles, newCampaign, newFixtures, numbersEnding } from '../testing/fixtures.ts'

const dialers = 3
const callsPerSecond = 8
const rowsEach = 480
/** A call lasts 1.5 s, and is paid for so long that nobody is cut off while no engine listens. */
const speed = 2
const promptMs = 2000
const settleMs = 1000
/** Of the fixtures' engines. */
const leaseMs = 4000
const timeoutMs = 60_000
const { at, filesFolder, witnesses, engineInWaiting, orderOf, until, allComplete, connect } = await crashFixtures({
  name: 'placement',
  timeoutMs,
  dialers,
  speed,
})
const flow = await flowsOver(testFiles(filesFolder))

async function begin(engineId: string): Promise<EngineProcess> {
  const engine = await engineInWaiting()
  engine.begin({ ...orderOf(engineId), timeScale: 1, settleMs, killAt: null })
  return engine
}

/** How many dialers each engine leads. */
async function placement(): Promise<Record<string, number>> {
  const { rows } = await at.pool.query<{ engine_id: string; n: number }>(
    'select engine_id, count(*)::int as n from dialer_lease where expires_at > now() group by 1 order by 1',
  )
  return Object.fromEntries(rows.map(({ engine_id, n }) => [engine_id, n]))
}

const placementIs = (shares: Record<string, number>): Promise<void> =>
  until(`the placement ${JSON.stringify(shares)}`, async () => {
    const is = await placement()
    return (
      Object.keys(is).length === Object.keys(shares).length && Object.entries(shares).every(([id, n]) => is[id] === n)
    )
  })

/** Since then, every dialer has begun calls. */
async function allDial(since: number): Promise<void> {
  const began = (): boolean =>
    witnesses.every((witness) => {
      witness.read()
      return [...witness.channels.values()].some(({ startedAt }) => startedAt > since)
    })
  await until('every dialer dials', began)
}

/** Each number was dialled once, and its channel is over. */
function expectNobodyTwice(): void {
  const numbers: string[] = []
  for (const witness of witnesses) {
    witness.read()
    for (const [channelId, { starts, endedAt, number }] of witness.channels) {
      expect({ channelId, starts, ended: endedAt !== null }).toEqual({ channelId, starts: 1, ended: true })
      numbers.push(number)
    }
  }
  expect(numbers).toHaveLength(new Set(numbers).size)
}

async function expectAllAnswered(): Promise<void> {
  const { rows } = await at.pool.query<{ disposition: string; whole: boolean; n: number }>(
    `select disposition, bill_ms >= $1 as whole, count(*)::int as n from attempt where disposition <> 'CANCEL' group by 1, 2`,
    [promptMs],
  )
  expect(rows).toEqual([{ disposition: 'ANSWER', whole: true, n: dialers * rowsEach }])
}

test('engines over three dialers, one killed, one frozen and awake again, one shut down, in the middle of campaigns: all dialers go on, nobody is dialled twice, cut off or lost', async () => {
  const fixtures = await newFixtures(at, { cps: callsPerSecond, channels: 300 })
  const lines = [fixtures.line]
  const more = { holders: [fixtures.user], cps: callsPerSecond, channels: 300 }
  while (lines.length < dialers) lines.push(await newLine(at, more))
  await at.db.deleteFrom('dialer_lease').execute()
  const phones = numbersEnding(['50', '51', '52', '53', '54'], rowsEach / 5)
  for (const [i, line] of lines.entries()) {
    const own = phones.map((one) => one + 10_000_000 * i)
    await newCampaign(at, { user: fixtures.user, line, phones: own, flow: flow(0), reservePaisa: 400, channels: 200 })
  }
  await connect(...lines.map(({ dialerId }) => dialerId))

  const one = await begin('one')
  await placementIs({ one: 3 })
  const [two, three] = [await begin('two'), await begin('three')]
  await placementIs({ one: 1, three: 1, two: 1 })
  await allDial(Date.now())

  let since = Date.now()
  await one.kill()
  await until('the dead one’s dialer is led by another', async () => (await placement())['one'] === undefined)
  await allDial(since)
  expect(Date.now() - since).toBeLessThan(6000)
  await begin('four')
  await placementIs({ four: 1, three: 1, two: 1 })

  two.signal('SIGSTOP')
  const frozenAt = Date.now()
  await until('the frozen one’s dialer is led by another', async () => (await placement())['two'] === undefined)
  expect(Date.now() - frozenAt).toBeGreaterThan(leaseMs - 2000) // its lock is held: the lease has to end
  await sleep(6000)
  const { rows: led } = await at.pool.query('select dialer_id, epoch from dialer_lease order by 1')
  since = Date.now()
  two.signal('SIGCONT')
  await sleep(300)
  expect(
    (await at.pool.query('select dialer_id, epoch from dialer_lease order by 1')).rows,
    'it writes nothing',
  ).toEqual(led)
  await placementIs({ four: 1, three: 1, two: 1 })
  await allDial(Date.now())

  since = Date.now()
  three.signal('SIGTERM')
  await until(
    'the dialer of the one that ends is led by another',
    async () => (await placement())['three'] === undefined,
  )
  await allDial(since)
  await until('it has ended', () => three.died !== null)
  expect(three.died).toBe(0)
  expect(Date.now() - since).toBeLessThan(6000)

  await until('all campaigns complete', allComplete)
  expectNobodyTwice()
  await expectAllAnswered()
  await expectSoundFiles(at)
}, 240_000)
