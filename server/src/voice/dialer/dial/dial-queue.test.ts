import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DialerConnection, TelephonyDriver } from '../../../drivers/telephony/driver.ts'
import { expectSoundBooks, newCampaign, newFixtures, phones } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

const at = await dialling({ speed: 200, timeScale: 0.0005 })
const dialsAtOnce = 3
const dialMs = 40
const dials = { now: 0, most: 0, all: 0 }
/** A slow dialer that takes three calls at once. */
const slow: TelephonyDriver = {
  name: 'simulator',
  async connect(address) {
    const connection = await at.simulator.connect(address)
    const dial: DialerConnection['dial'] = async (request) => {
      dials.all += 1
      dials.most = Math.max(dials.most, (dials.now += 1))
      await sleep(dialMs)
      dials.now -= 1
      return connection.dial(request)
    }
    return new Proxy(connection, {
      get(of, key) {
        if (key === 'dialsAtOnce') return dialsAtOnce
        const value: unknown = key === 'dial' ? dial : Reflect.get(of, key)
        return typeof value === 'function' ? value.bind(of) : value
      },
    })
  },
}

test('calls beyond what the dialer takes at once wait and the campaign says so; none fails, and none is claimed that cannot begin in time', async () => {
  const fixtures = await newFixtures(at, { cps: 1000 })
  const { user } = fixtures
  const campaignId = await newCampaign(at, { user, line: fixtures.line, phones: phones(200) })
  const engine = at.start({ telephony: [slow] })
  let claimed = 0
  const reasons = new Set<string | null>()
  engine.reports.on('tick', ({ dialled, campaigns }) => {
    claimed += dialled
    for (const { reason } of campaigns) reasons.add(reason)
  })
  await at.status(campaignId, 'complete')
  expect(dials.most).toBe(dialsAtOnce)
  expect(claimed).toBeLessThan(1.5 * dials.all)
  expect([...reasons]).toContainEqual(
    expect.stringMatching(/^dialer .+ answers in \d+ ms: at most \d+ calls a second$/),
  )
  await expectSoundBooks(at)
})
