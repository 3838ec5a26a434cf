import { expect, test } from 'vitest'
import { killBench } from '../../testing/fault-injection/bench.ts'
import { finishAll, newCampaigns } from '../../testing/fault-injection/campaigns.ts'
import { expectAllAccounted } from '../../testing/fault-injection/expect.ts'
import { freezeDuring } from '../../testing/fault-injection/freezes.ts'
import { chosenKills, executeKill } from '../../testing/fault-injection/kills.ts'

const seed = Number(process.env['SEED'] ?? 1)
/** The dialers' records are trimmed, so what they say is read while they are young. */
const readEveryMs = 5000

const bench = await killBench()
const { dialers, engines, until } = bench

test(
  'an account that is frozen again and again during ten kills of an engine and ten of PostgreSQL: lifted, all its calls are made, nobody is called twice, every paisa is right',
  { tags: ['exhaustive'], timeout: 3_000_000 },
  async () => {
    const campaigns = await newCampaigns(bench)
    const { feed, fixtures } = campaigns
    const [frozen] = fixtures.users
    if (!frozen) throw new Error('no users')
    await feed()
    for (const name of ['one', 'two']) await engines.begin(name)
    await until('every dialer dials', () => dialers.every((one) => one.channels().length > 0), feed)
    const kills = chosenKills(10, seed).filter(({ kind }) => kind === 'engine' || kind === 'postgres')
    const reading = setInterval(() => dialers.forEach((one) => one.channels()), readEveryMs)
    const times = await freezeDuring(bench, frozen, async () => {
      for (const kill of kills) await executeKill(bench, kill, feed)
    })
    expect(times).toBeGreaterThan(kills.length / 4)
    const fastFrom = await finishAll(bench, campaigns).finally(() => clearInterval(reading))
    await expectAllAccounted(bench, campaigns, fastFrom)
  },
)
