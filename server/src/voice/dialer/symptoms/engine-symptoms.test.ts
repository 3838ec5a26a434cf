import { expect, test, vi } from 'vitest'
import type { TrunkFlaw } from '../../../drivers/telephony/simulator/numbers.ts'
import { polling } from '../../../testing/timeouts.ts'
import { dialling } from '../../testing/engine.ts'
import { newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'

/** trunk-symptoms.test.ts has each symptom, and symptoms.test.ts what is stored; short calls show the way between in `npm test`. */
const exhaustive = { tags: ['exhaustive'] }

const at = await dialling({ speed: 20, timeScale: 0.01 })
at.start()

/** The alerts about a trunk over which this many numbers were called, all of the same last two digits. */
async function alertsOf(flaw: TrunkFlaw | null, calls: number, suffix: number): Promise<() => Promise<string[]>> {
  const { user, line } = await newFixtures(at, { cps: 40 })
  const dialer = await at.db.selectFrom('dialer').select(['host', 'port']).where('id', '=', line.dialerId)
  await at.simulator.control(await dialer.executeTakeFirstOrThrow()).setTrunkFlaw(trunkName(line.trunkId), flaw)
  const phones = Array.from({ length: calls }, (_, n) => 9779841000000 + 100 * n + suffix)
  await newCampaign(at, { user, line, phones, flow: at.flow(1, { menuWaitSeconds: 10 }), channels: 1000, retries: 0 })
  return async () => {
    const alerts = at.db.selectFrom('alert').select(['kind', 'detail']).where('subject', '=', `trunk ${line.trunkId}`)
    return (await alerts.orderBy('kind').execute()).map(({ kind, detail }) => `${kind}: ${detail}`)
  }
}

test(
  'a trunk whose calls never get a key although menus are heard is named, with the payload numbers that contradict each other',
  exhaustive,
  async () => {
    const alerts = await alertsOf('keyless', 260, 11)
    const payload = 'it describes payload number 101 for keys and does not list it'
    await vi.waitFor(async () => {
      expect(await alerts()).toEqual([
        expect.stringMatching(
          `^contradicting_answers: (\\d+) of \\1 calls had answers that contradict themselves: ${payload}$`,
        ),
        expect.stringMatching(`^no_keys: no key came in 2\\d\\d calls that heard a menu: ${payload}$`),
      ])
    }, polling)
  },
)

test.each([
  { flaw: 'oneWay', said: /^one_way_sound: (\d+) of \1 sampled calls had sound one way only$/ },
  { flaw: 'deadAir', said: /^dead_air: (\d+) of \1 sampled calls had no sound$/ },
] as const)('a trunk whose sampled calls have the fault $flaw is named', exhaustive, async ({ flaw, said }) => {
  const alerts = await alertsOf(flaw, 180, 99)
  await vi.waitFor(async () => expect(await alerts()).toEqual([expect.stringMatching(said)]), polling)
})

test('a trunk that cuts very many calls within three seconds is named once, and one whose calls are as usual is not', async () => {
  const [short, usual] = [await alertsOf('short', 80, 99), await alertsOf(null, 80, 11)]
  const said = /^short_calls: (\d+) of \1 answered calls were hung up within 3 s$/
  await vi.waitFor(async () => expect(await short()).toEqual([expect.stringMatching(said)]), polling)
  expect(await usual()).toEqual([])
})
