import { expect, test } from 'vitest'
import type { TrunkSign } from '../../../model/calls/disposition.ts'
import { healthy, observe, probeDue, type TrunkHealth } from './circuit-breaker.ts'

const call = {
  accountId: 1,
  campaignId: 1,
  isProven: false,
  sign: 'good' as TrunkSign,
  redial: false,
  probe: false,
  rang: false,
  isNewEvidence: true,
  cause: 'SIP 503',
  now: 1000,
  timeScale: 1,
}
const letters: Record<string, TrunkSign> = { g: 'good', c: 'congested', f: 'fault', r: 'refusal', b: 'broken' }
/** 'g20 f10': twenty good calls, ten faults. */
const after = (story: string, more: Partial<typeof call> = {}): TrunkHealth =>
  story.split(' ').reduce((health, word) => {
    const sign = letters[word[0] ?? ''] ?? 'good'
    for (let n = Number(word.slice(1) || 1); n > 0; n--) health = observe(health, { ...call, sign, ...more }).health
    return health
  }, healthy)

test.each([
  { why: 'nine faults running are bad luck', story: 'f9', reason: null },
  { why: 'ten faults running', story: 'g30 f10', reason: '10 calls running failed: SIP 503' },
  { why: 'a good call breaks the row', story: 'f9 g1 f5', reason: null },
  {
    why: 'fifteen of fifty, scattered',
    story: 'g20 f5 g5 f5 g5 f5',
    reason: '15 of the last 45 calls failed: SIP 503',
  },
  { why: 'old faults are forgotten', story: 'f7 g50 f7', reason: null },
  { why: 'fifteen refusals of fifty are people who decline', story: 'g35 r15', reason: null },
  {
    why: 'more than 30 % refused is the trunk',
    story: 'g34 r16',
    reason: '16 of the last 50 calls were refused: SIP 503',
  },
  { why: 'no room while some calls pass', story: 'c9 g1 c9 g1 c9 g1 c9', reason: null },
  { why: 'no room ten times running', story: 'g30 c10', reason: '10 calls running failed: SIP 503' },
  { why: 'a wrong password at once', story: 'g50 b1', reason: 'SIP 503' },
])('$why', ({ story, reason }) => expect(after(story).opened?.reason ?? null).toBe(reason))

test('redials of congested and refused rows do not count against the trunk, and speak for it when they pass', () => {
  expect(after('f40', { redial: true })).toEqual(healthy)
  expect(after('r40', { redial: true })).toEqual(healthy)
  expect(observe(after('f9'), { ...call, redial: true }).health.running).toBe(0)
})

test('a refusal that shows the trunk’s fault counts as a fault, a single one is not', () => {
  expect(observe(healthy, { ...call, sign: 'refusal' }).isFault).toBe(false)
  expect(observe(after('g34 r15'), { ...call, sign: 'refusal' }).isFault).toBe(true)
})

test('an open breaker lets one probe through after 30 s, 60 s, 120 s ... at most ten minutes; a good one lifts the hold', () => {
  let health = after('b1')
  const waits: number[] = []
  for (let now = 1000, n = 0; n < 7; n++) {
    const at = health.opened?.nextProbeAt ?? 0
    waits.push((at - now) / 1000)
    expect([probeDue(health, at - 1), probeDue(health, at)]).toEqual([false, true])
    now = at
    health = observe(health, { ...call, sign: 'fault', probe: true, now }).health
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600])
  expect(health.opened?.since).toBe(1000)
  expect(observe(health, { ...call, sign: 'good' }).health.opened).not.toBeNull()
  expect(observe(health, { ...call, sign: 'good', probe: true }).health).toEqual(healthy)
})

test.each([
  { why: 'a busy number was reached over it', opened: 'f10', sign: 'good', lifts: true },
  { why: 'who refuses a call has been reached', opened: 'f10', sign: 'refusal', lifts: true },
  { why: 'a refusal proves nothing where all is refused', opened: 'r16', sign: 'refusal', lifts: false },
  { why: 'nor the next one', opened: 'r16', sign: 'refusal', lifts: false, before: 'refusal' },
  { why: 'somebody answers where all was refused', opened: 'r16', sign: 'good', rang: true, lifts: true },
  {
    why: 'a number that the operator does not know proves nothing where all is refused',
    opened: 'r16',
    sign: 'good',
    lifts: false,
  },
  { why: 'the password is still wrong', opened: 'b1', sign: 'broken', lifts: false },
  { why: 'still out of order', opened: 'f10', sign: 'fault', lifts: false },
] as const)('a probe, $why: closes the breaker $lifts', ({ opened, sign, lifts, ...more }) => {
  const first = after(opened)
  const health = 'before' in more ? observe(first, { ...call, sign: more.before, probe: true }).health : first
  const rang = 'rang' in more
  const { health: then, isFault } = observe(health, { ...call, sign, rang, probe: true })
  expect([then.opened === null, isFault]).toEqual([lifts, !lifts])
})

test('the time scale shortens the waits of an open breaker', () => {
  expect(after('b1', { timeScale: 0.01 }).opened?.nextProbeAt).toBe(1300)
})

/** 'a9 b* a': nine faults of account a, a call of b's that rings, one more fault. `sign`: of what fails. Which campaigns were to be put on hold, and why the breaker opened. */
function afterAccounts(story: string, sign: 'fault' | 'refusal', isProven: boolean) {
  let seen = observe(healthy, { ...call, isProven })
  let health = healthy
  const onHold = new Set<number>()
  for (const word of story.split(' ')) {
    const accountId = word.charCodeAt(0) - 96
    const rang = word[1] === '*'
    for (let n = rang ? Number(word.slice(2) || 1) : Number(word.slice(1) || 1); n > 0; n--) {
      const one = { ...call, accountId, campaignId: 10 * accountId, isProven, rang }
      seen = observe(health, { ...one, sign: rang ? 'good' : sign })
      health = seen.health
      for (const id of seen.campaigns?.ids ?? []) onHold.add(id)
    }
  }
  return { trunk: health.opened?.reason ?? null, campaigns: [...onHold] }
}

test.each<{
  why: string
  story: string
  sign?: 'fault' | 'refusal'
  isProven?: boolean
  campaigns: number[]
  trunk: string | null
}>([
  {
    why: 'one account’s faults put its campaigns on hold where a call of another rang before',
    story: 'b* a10',
    campaigns: [10],
    trunk: null,
  },
  { why: 'and where its own did', story: 'a* a10', campaigns: [10], trunk: null },
  {
    why: 'alone on a trunk over which nothing rang they open its breaker',
    story: 'a10',
    isProven: false,
    campaigns: [],
    trunk: '10 calls running failed: SIP 503',
  },
  {
    why: 'not beside another one, whose calls pass',
    story: 'b* a10',
    isProven: false,
    campaigns: [10],
    trunk: null,
  },
  {
    why: 'ten running of two accounts open the breaker',
    story: 'b*9 a*9 a5 b5',
    campaigns: [],
    trunk: '10 calls running failed: SIP 503',
  },
  {
    why: 'the next account that meets the same after the first one’s campaigns were held shows that it is the trunk',
    story: 'b* a10 b10',
    campaigns: [10],
    trunk: '10 calls running failed: SIP 503',
  },
  { why: 'not when a call rang in between', story: 'b* a10 c* b10', campaigns: [10, 20], trunk: null },
  {
    why: 'a share of one account’s puts its campaigns on hold, though one call of another fails too',
    story: 'b*8 a5 b*8 a5 b1 b*8 a5',
    campaigns: [10],
    trunk: null,
  },
  {
    why: 'a share of each of two opens the breaker',
    story: 'a5 b3 b*5 a5 b2',
    campaigns: [],
    trunk: '15 of the last 20 calls failed: SIP 503',
  },
  {
    why: 'refusals of one put its campaigns on hold',
    story: 'b*4 a16',
    sign: 'refusal',
    campaigns: [10],
    trunk: null,
  },
  {
    why: 'refusals of two open the breaker',
    story: 'b*4 a8 b8',
    sign: 'refusal',
    campaigns: [],
    trunk: '16 of the last 20 calls were refused: SIP 503',
  },
])('$why', ({ story, campaigns, trunk, sign = 'fault', isProven = true }) => {
  expect(afterAccounts(story, sign, isProven)).toEqual({ trunk, campaigns })
})
