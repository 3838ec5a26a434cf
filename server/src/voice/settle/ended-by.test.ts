import { expect, test } from 'vitest'
import { endedBy } from '../dialer/dial/outcome.ts'

const at = (second: number): Date => new Date(1_800_000_000_000 + second * 1000)
const call = { startedAt: at(0), alertedAt: at(2), answeredAt: at(5), endedAt: at(65) }

test.each([
  { why: 'a call that would end in the future ends now, with its lengths', now: at(10), moved: -55 },
  { why: 'a call of the past stays as it was', now: at(70), moved: 0 },
])('$why', ({ now, moved }) =>
  expect(endedBy(call, now)).toEqual({
    startedAt: at(moved),
    alertedAt: at(2 + moved),
    answeredAt: at(5 + moved),
    endedAt: at(65 + moved),
  }),
)

test('what nobody knows stays unknown', () => {
  const unknown = { startedAt: null, alertedAt: null, answeredAt: null, endedAt: null }
  expect(endedBy(unknown, at(0))).toEqual(unknown)
})
