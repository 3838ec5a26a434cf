// @module-tag exhaustive
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testFiles } from '../../../testing/files/test-files.ts'
import { crashFixtures } from '../../testing/crash/crash-fixtures.ts'
import { flowsOver } from '../../testing/engine.ts'
import { faultsOf } from '../../../dispatch/faults.ts'
import { checkInvariants } from '../../invariants/invariants.sql.ts'
import { expectSoundFiles, newCampaign, newFixtures, numbersEnding } from '../../testing/fixtures.ts'
import { anotherDialer, newRoute } from '../../testing/routes.ts'

const dialers = 3
const callsPerSecond = 8
const rows = 600
const channels = 40
/** A call lasts a second. */
const speed = 2
const timeoutMs = 90_000
const { at, filesFolder, witnesses, killDialer, engineInWaiting, orderOf, until, allComplete, connect } =
  await crashFixtures({ name: 'shared', timeoutMs, dialers, speed })
const flow = await flowsOver(testFiles(filesFolder))

async function begin(engineId: string) {
  const engine = await engineInWaiting()
  engine.begin({ ...orderOf(engineId), timeScale: 1, settleMs: 1000, killAt: null })
  return engine
}

const begun = (nth: number): number[] => {
  const witness = witnesses[nth]
  witness?.read()
  return [...(witness?.channels.values() ?? [])].map(({ startedAt }) => startedAt)
}

/** How long after that moment the dialer was without a call that began. */
async function goesOn(nth: number, since: number, ms: number): Promise<void> {
  await until(`dialer ${nth} goes on`, () => begun(nth).some((startedAt) => startedAt > since))
  expect(Math.min(...begun(nth).filter((startedAt) => startedAt > since)) - since).toBeLessThan(ms)
}

test('one campaign over three dialers and two engines, of which a dialer and an engine are killed: its rows go on elsewhere, nobody is dialled twice, and the books hold', async () => {
  const fixtures = await newFixtures(at, { cps: callsPerSecond, channels: 300 })
  const { user, line } = fixtures
  const places = [{ dialerId: line.dialerId, trunkId: line.trunkId }]
  while (places.length < dialers) places.push(await anotherDialer(at, { cps: callsPerSecond, channels: 300 }))
  await newRoute(
    at,
    fixtures,
    places.map(({ trunkId }) => ({ trunkId, priority: 1, weight: 1 })),
  )
  await at.db.updateTable('cli').set({ channels }).where('id', '=', line.cliId).execute()
  await at.db.deleteFrom('dialer_lease').execute()
  const phones = numbersEnding(['50', '51', '52', '53', '54'], rows / 5)
  await connect(...places.map(({ dialerId }) => dialerId))
  const one = await begin('one')
  await begin('two')
  const leads = async (dialerId: number): Promise<string | undefined> =>
    (
      await at.pool.query<{ engine_id: string }>(
        'select engine_id from dialer_lease where dialer_id = $1 and expires_at > now()',
        [dialerId],
      )
    ).rows[0]?.engine_id
  await until('both engines have dialers', async () => {
    const all = await Promise.all(places.map(({ dialerId }) => leads(dialerId)))
    return all.includes('one') && all.includes('two') && !all.includes(undefined)
  })
  await newCampaign(at, { user, line, phones, flow: flow(0), reservePaisa: 400, channels: 200, retries: 0 })
  let most = 0
  const watching = new AbortController()
  const watched = (async () => {
    for (; !watching.signal.aborted; await sleep(50)) {
      const {
        rows: [row],
      } = await at.pool.query<{ n: number }>('select count(*)::int as n from attempt_open')
      most = Math.max(most, row?.n ?? 0)
    }
  })()
  await until('all three dial', () => witnesses.every((_, nth) => begun(nth).length > 5))

  // The dialer that leads the campaign, with all its calls.
  let since = Date.now()
  await killDialer(0)
  for (const nth of [1, 2]) await goesOn(nth, since, 5000)
  await until('the page says so', async () => {
    const { rows: said } = await at.pool.query<{ reason: string | null; status: string }>(
      'select status, reason from campaign',
    )
    return said[0]?.status === 'running' && said[0].reason?.startsWith('calls go over dialers ') === true
  })
  await sleep(1000)
  expect(faultsOf(await checkInvariants(at.engine))).toEqual([])

  // One engine, with its dialers.
  since = Date.now()
  await one.kill()
  await until('the other engine has all', async () => {
    const all = await Promise.all(places.map(({ dialerId }) => leads(dialerId)))
    return all.every((engine) => engine === 'two')
  })
  for (const nth of [1, 2]) await goesOn(nth, Date.now(), 5000)
  expect(Date.now() - since).toBeLessThan(15_000)

  // A person gives the lost dialer up: its calls are over, and the campaign ends elsewhere.
  await at.db
    .updateTable('dialer')
    .set({ given_up_at: new Date(), given_up_reason: 'it does not come back' })
    .where('id', '=', line.dialerId)
    .execute()
  await until('the campaign is complete', allComplete)
  watching.abort()
  await watched
  expect(most).toBeLessThanOrEqual(channels)
  expect(most).toBeGreaterThan(callsPerSecond)
  await expectCallsMatchRecords(phones)
  await expectSoundFiles(at)
}, 240_000)

/** Of each number one channel, on one dialer; every attempt was on the dialer of its trunk, and all rows are done. */
async function expectCallsMatchRecords(phones: readonly number[]): Promise<void> {
  const dialled = witnesses.flatMap((witness) => {
    witness.read()
    return [...witness.channels.values()]
  })
  expect(dialled.filter(({ starts }) => starts !== 1)).toEqual([])
  const { rows: attempts } = await at.pool.query<{ disposition: string; phone: number }>(
    `select disposition, phone from attempt where disposition <> 'CANCEL'`,
  )
  const numbers = dialled.map(({ number }) => number)
  expect(numbers).toHaveLength(new Set(numbers).size)
  expect(attempts.map(({ phone }) => phone).toSorted()).toEqual([...phones].toSorted())
  const answered = attempts.filter(({ disposition }) => disposition === 'ANSWER').length
  const lost = attempts.filter(({ disposition }) => disposition === 'LOST').length
  expect(answered + lost).toBe(phones.length)
  expect(lost).toBeLessThan(2 * channels)
}
