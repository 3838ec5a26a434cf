import { expect, test } from 'vitest'
import { systemClock } from '../../../clock.ts'
import { RecordedEvents, eventually } from '../testing-events.ts'
import type { SimulatorSettings, SmsGateway } from '../driver.ts'
import { messageTo } from '../suite.ts'
import { simulatedGateways } from './simulator.ts'

function gatewayWith(settings: Partial<SimulatorSettings>, recorded = new RecordedEvents(), speed = 100): SmsGateway {
  const all = { driver: 'simulator', window: 10, tps: 500, fault: null, ...settings } as const
  return simulatedGateways(speed)(all, recorded, systemClock)
}

test.each([
  { fault: 'unreachable', reason: 'cannot be reached' },
  { fault: 'refusesLogin', reason: 'refuses the login' },
] as const)('a gateway that is $fault says so, and sends nothing', async ({ fault, reason }) => {
  const gateway = gatewayWith({ fault })
  await eventually(() => gateway.state.lastError)
  expect(gateway.state).toMatchObject({ bound: false, lastError: expect.stringContaining(reason) })
  expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'unsent' })
  await gateway.close()
})

test.each([
  { fault: 'throttles', kind: 'throttled' },
  { fault: 'silent', kind: 'unknown' },
] as const)('a gateway that is $fault leaves every message $kind', async ({ fault, kind }) => {
  const gateway = gatewayWith({ fault })
  await eventually(() => gateway.state.bound)
  expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind })
  await gateway.close()
})

test('a gateway that cuts its connections loses answers, and everything is accepted, unsent or unknown', async () => {
  const gateway = gatewayWith({ fault: 'cuts' })
  await eventually(() => gateway.state.bound)
  const submitted = await Promise.all(Array.from({ length: 15 }, () => gateway.submit(messageTo('20'))))
  const kinds = submitted.map(({ kind }) => kind)
  expect(kinds.filter((kind) => !['accepted', 'unsent', 'unknown'].includes(kind))).toEqual([])
  expect(kinds).toContain('unknown')
  await eventually(() => gateway.state.bound)
  await gateway.close()
})

test('a gateway whose connection breaks comes back with its whole window, whatever was being sent', async () => {
  const gateway = gatewayWith({ window: 1000, tps: 5000 }, new RecordedEvents(), 1000)
  await eventually(() => gateway.state.bound)
  for (let round = 0; round < 20; round++) {
    const submits = Array.from({ length: 100 }, (_, i) => gateway.submit(messageTo(i % 4 === 0 ? '14' : '20')))
    const kinds = (await Promise.all(submits)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => !['accepted', 'unsent', 'unknown'].includes(kind))).toEqual([])
    await eventually(() => gateway.state.bound)
  }
  await expect.poll(async () => (await gateway.submit(messageTo('20'))).kind).toBe('accepted')
  expect(gateway.state.windowUsed).toBe(0)
  await gateway.close()
})

test('ten thousand messages leave within the window, and each has its receipt', async () => {
  const recorded = new RecordedEvents()
  const gateway = gatewayWith({ window: 100, tps: 50_000 }, recorded)
  await eventually(() => gateway.state.bound)
  let most = 0
  const submitted = await Promise.all(
    Array.from({ length: 10_000 }, async () => {
      const outcome = await gateway.submit(messageTo('20'))
      most = Math.max(most, gateway.state.windowUsed)
      return outcome
    }),
  )
  const ids = submitted.flatMap((outcome) => (outcome.kind === 'accepted' ? outcome.ids : []))
  expect(new Set(ids).size).toBe(10_000)
  expect(most).toBeLessThanOrEqual(100)
  await eventually(() => recorded.receiptsStored.length === 10_000)
  expect(recorded.receiptsOf(ids)).toHaveLength(10_000)
  await gateway.close()
})
