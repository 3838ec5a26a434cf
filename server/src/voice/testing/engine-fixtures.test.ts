import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dialling, poolWith } from './engine.ts'
import { newCampaign, newFixtures } from './fixtures.ts'

const at = await dialling({ speed: 20, timeScale: 0.001 })
at.start()

test('an engine that runs may lease a new dialer before its fixture does', async () => {
  const late = poolWith(at, 'takeover', async (send) => {
    await sleep(1500) // three times as long as the engine takes to look for new dialers
    return await send()
  })
  const { lease, user, line } = await newFixtures({ ...at, engine: late })
  expect(lease).toMatchObject({ dialerId: line.dialerId, engineId: 'test' })
  const id = await newCampaign(at, { user, line, phones: [9779812345611], flow: at.flow(0), retries: 0 })
  await at.status(id, 'complete')
})
