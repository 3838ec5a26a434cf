import { expect, test } from 'vitest'
import { EqualRefusals, type RefusalEffect } from './equal-refusals.ts'

const trunkId = 1
/** 'a1 a1 b2': refusals of customer a's campaign 1, a's 1, b's 2; 'a1!' rings; 'a1=' ends otherwise. The last effect, a second between two. */
function after(story: string, refusals = new EqualRefusals()): RefusalEffect | null {
  let effect: RefusalEffect | null = null
  story.split(' ').forEach((word, n) => {
    const [account = '', campaign = '', how] = word
    const campaignId = Number(campaign)
    const now = n * 1000
    if (how === '!') refusals.rang(trunkId, campaignId, now)
    else {
      const kind = how === '=' ? 'BUSY' : 'INVALID'
      const accountId = account.charCodeAt(0)
      effect = refusals.refused({ trunkId, campaignId, accountId, kind, now, timeScale: 1 })
    }
  })
  return effect
}
const times = (n: number, word: string) => Array.from({ length: n }, () => word).join(' ')

test.each([
  { why: 'nothing has rung yet: it waits', story: 'a1', is: { is: 'unproven' } },
  { why: 'something has, but it may be the first of ten: it waits', story: 'a1! a1', is: { is: 'unproven' } },
  { why: 'a busy line, which is called again in any case, does not', story: 'a1! a1=', is: { is: 'final' } },
  { why: 'nine are no proof', story: times(9, 'a1'), is: { is: 'unproven' } },
  { why: 'ten of one campaign put it on hold', story: times(10, 'a1'), is: { is: 'campaigns', ids: [1] } },
  { why: 'whatever rings elsewhere', story: `b2! ${times(9, 'a1')} b2! a1`, is: { is: 'campaigns', ids: [1] } },
  { why: 'one that rings breaks the run', story: `${times(9, 'a1')} a1! ${times(9, 'a1')}`, is: { is: 'unproven' } },
  { why: 'one that ends otherwise breaks it too', story: `${times(9, 'a1')} a1= a1`, is: { is: 'unproven' } },
  {
    why: 'ten of two campaigns of one customer put both on hold, where nothing ever rang',
    story: `${times(5, 'a1')} ${times(5, 'a2')}`,
    is: { is: 'campaigns', ids: [1, 2] },
  },
  {
    why: 'but not where calls of others ring',
    story: `${times(5, 'a1')} b3! ${times(5, 'a2')}`,
    is: { is: 'unproven' },
  },
  {
    why: 'what rang long ago proves something for a busy line, which is called again in any case',
    story: `a1! ${times(8, 'a1')} ${times(4, 'a2=')}`,
    is: { is: 'final' },
  },
  {
    why: 'ten of two customers open the trunk’s breaker',
    story: `${times(5, 'a1')} ${times(5, 'b2')}`,
    is: { is: 'trunk', accounts: 2 },
  },
  {
    why: 'not one over which something rang a moment ago',
    story: `c3! ${times(5, 'a1')} ${times(4, 'b2')}`,
    is: { is: 'unproven' },
  },
  {
    why: 'nothing rings any more for ten seconds',
    story: `c3! ${times(7, 'a1')} ${times(3, 'b2')}`,
    is: { is: 'trunk', accounts: 2 },
  },
])('$why', ({ story, is }) => expect(after(story)).toEqual(is))

function resumedOnce(): EqualRefusals {
  const refusals = new EqualRefusals()
  refusals.putOnHold(1, { trunkId, kind: 'INVALID', reason: 'SIP 404', now: 0 }, 30_000)
  refusals.resumed(1)
  return refusals
}

test('after a person resumes a campaign on hold the next hold comes after a hundred calls, and one that rings ends that', () => {
  const refusals = new EqualRefusals()
  after(times(10, 'a1'), refusals)
  refusals.putOnHold(1, { trunkId, kind: 'INVALID', reason: 'SIP 404', now: 0 }, 30_000)
  refusals.resumed(1)
  expect(refusals.holdOf(1)).toBeNull()
  expect(after(times(99, 'a1'), refusals)).toEqual({ is: 'unproven' })
  expect(after('a1', refusals)).toEqual({ is: 'campaigns', ids: [1] })
  expect(after(`b2! ${times(8, 'a1')}`, resumedOnce())).toEqual({ is: 'final' })
  after('a1!', refusals)
  expect(after(times(10, 'a1'), refusals)).toEqual({ is: 'campaigns', ids: [1] })
})

test('a ring long ago proves nothing after the third outcome that would be final', () => {
  const refusals = new EqualRefusals()
  after(`a1! ${times(8, 'a1=')} ${times(2, 'a2')}`, refusals)
  expect(refusals.isProven(trunkId)).toBe(true)
  refusals.refused({ trunkId, campaignId: 2, accountId: 1, kind: 'INVALID', now: 20_000, timeScale: 1 })
  expect(refusals.isProven(trunkId)).toBe(false)
})

test('a campaign on hold tries one call after 30 s, 60 s, 120 s ... at most ten minutes', () => {
  const refusals = new EqualRefusals()
  refusals.putOnHold(1, { trunkId, kind: 'INVALID', reason: 'SIP 404', now: 0 }, 30_000)
  const waits: number[] = []
  for (let now = 0, n = 0; n < 7; n++) {
    const at = refusals.holdOf(1)?.nextProbeAt ?? 0
    waits.push((at - now) / 1000)
    expect([refusals.probeDue(1, at - 1), refusals.probeDue(1, at)]).toEqual([false, true])
    now = at
    refusals.probeFailed(1, now, 1)
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600])
})

test('nor is a resumed campaign put on hold again for the share of its calls that failed before a hundred more did', () => {
  const refusals = resumedOnce()
  for (let n = 0; n < 99; n++) refusals.failed(1)
  expect(refusals.mayBePutOnHold(1)).toBe(false)
  refusals.failed(1)
  expect(refusals.mayBePutOnHold(1)).toBe(true)
  refusals.putOnHold(1, { trunkId, kind: 'CONGESTION', reason: 'SIP 500', now: 0 }, 30_000)
  expect(refusals.mayBePutOnHold(1)).toBe(false)
  expect(refusals.mayBePutOnHold(2)).toBe(true)
})
