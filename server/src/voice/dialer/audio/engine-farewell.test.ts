import { lostServerDefault, type LostServer } from '@ghanti/contract/lost-server.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { changeSetting } from '../../../modules/platform/actions.ts'
import { dialling, instead } from '../../testing/engine.ts'
import { newCampaign, newFixtures } from '../../testing/fixtures.ts'

const at = await dialling({ speed: 20, timeScale: 0.01 })
type Told = Parameters<NonNullable<DialerConnection['setFarewell']>>[0]

/** What a dialer is told while a campaign of its own is under way. `fails`: how often it cannot be told. */
async function telling({ fails = 0 } = {}) {
  const { user, line } = await newFixtures(at)
  const told: Told[] = []
  const setFarewell = async (farewell: Told): Promise<void> => {
    if (fails-- > 0) throw new Error('the dialer does not answer')
    told.push(farewell)
  }
  const driver = instead(at.simulator, (_, { port }) => (port === 20_000 + line.dialerId ? { setFarewell } : {}))
  const engine = at.start({ telephony: [driver] })
  onTestFinished(() => engine.stop({ drainMs: 0 }))
  const phones = Array.from({ length: 200 }, (_, n) => 9779823000002 + 100 * n)
  await newCampaign(at, { user, line, phones, flow: at.flow(0), reservePaisa: 400 })
  return told
}
const set = (lostServer: LostServer) =>
  at.db.transaction().execute((tx) => changeSetting(tx, 'lostServer', lostServer, null))

async function saidBy({ media }: Told): Promise<string[]> {
  const { rows } = await at.pool.query<{ text: string; file_hash: string }>('select text, file_hash from speech_sound')
  return media.map(({ hash }) => rows.find(({ file_hash }) => file_hash === hash)?.text ?? hash)
}

test('a dialer with a campaign is told what its calls hear when no engine is left: a sentence that comes with the product, until the settings say otherwise', async () => {
  const told = await telling({ fails: 2 })
  await expect.poll(() => told.at(-1)?.media.length).toBe(1)
  const [last] = told.slice(-1)
  expect(last?.waitMs).toBe(5000)
  expect(last && (await saidBy(last))).toEqual([lostServerDefault.nepali])

  await set({ seconds: 30, nepali: 'माफ गर्नुहोला।', english: 'We are sorry.' })
  await expect.poll(() => told.at(-1)?.media.length).toBe(2)
  const [changed] = told.slice(-1)
  expect(changed?.waitMs).toBe(30_000)
  expect(changed && (await saidBy(changed))).toEqual(['माफ गर्नुहोला।', 'We are sorry.'])

  await set({ seconds: 7, nepali: '', english: '' })
  await expect.poll(() => told.at(-1)).toEqual({ waitMs: 7000, media: [] })
  const before = told.length
  await at.tick(() => true)
  await at.tick(() => true)
  expect(told, 'what it knows it is not told again').toHaveLength(before)
})
