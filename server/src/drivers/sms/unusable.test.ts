import { expect, test } from 'vitest'
import { systemClock } from '../../clock.ts'
import { RecordedEvents } from './testing-events.ts'
import { unusableGateway } from './unusable.ts'
import { words } from './words.ts'

test('a gateway that cannot be used is never bound, says why, and lets no message leave', async () => {
  const events = new RecordedEvents()
  const gateway = unusableGateway(words.unreadable)({ window: 5, tps: 10 }, events, systemClock)
  expect(await gateway.submit({ token: 'T1', from: 'GHANTI', to: '9779841000020', text: 'Hello' })).toEqual({
    kind: 'unsent',
    reason: words.unreadable,
  })
  expect(events.states).toMatchObject([{ bound: false, lastError: words.unreadable }])
  await gateway.close()
  expect(gateway.state.bound).toBe(false)
})
