import { expect, test } from 'vitest'
import {
  delaySeconds,
  freshLane,
  isFresh,
  neighbourhoodOf,
  networkOf,
  resetMailGapSeconds,
  staleLane,
  type Limit,
} from './rules-throttle.ts'

const daySeconds = 24 * 3600

test.each([
  { why: 'typing errors cost nothing', failures: 9, seconds: 0 },
  { why: 'then the wait begins', failures: 10, seconds: 10 },
  { why: 'and doubles', failures: 11, seconds: 20 },
  { why: 'and doubles', failures: 17, seconds: 1280 },
  { why: 'up to half an hour', failures: 18, seconds: 1800 },
  { why: 'for any number', failures: 5000, seconds: 1800 },
])('$why: after failure $failures, $seconds s', ({ failures, seconds }) => {
  expect(delaySeconds(failures)).toBe(seconds)
})

function inADay(secondsAfter: (n: number) => number): number {
  let n = 0
  for (let at = 0; at < daySeconds; at += secondsAfter(n)) n += 1
  return n
}
const capacity = ({ points, seconds }: Limit) => (points * daySeconds) / seconds

test('the guesses a day that docs/adr/7 states: 64 from one network, 4,320 from any number of them', () => {
  const ofOne = inADay(delaySeconds)
  expect(ofOne).toBe(64)
  const fresh = [1, 2, 3, 4].filter(isFresh).length
  const ofMany = (networks: number) =>
    Math.min(fresh * networks, capacity(freshLane)) + Math.min((ofOne - fresh) * networks, capacity(staleLane))
  expect([1, 10, 100, 1000, 1_000_000].map(ofMany)).toEqual([64, 640, 1740, 4320, 4320])
})

test('at most twenty mails with reset links go out for a name within a day, however often they are asked for', () => {
  expect([1, 2, 3, 4, 5, 6].map(resetMailGapSeconds)).toEqual([300, 900, 1800, 3600, 5400, 5400])
  expect(inADay(resetMailGapSeconds)).toBeLessThanOrEqual(20)
})

test.each([
  { ip: '203.0.113.7', network: '203.0.113.7/32', neighbourhood: '203.0.113/24' },
  { ip: '::ffff:203.0.113.7', network: '203.0.113.7/32', neighbourhood: '203.0.113/24' },
  { ip: '::ffff:cb00:7107', network: '203.0.113.7/32', neighbourhood: '203.0.113/24' },
  { ip: '2001:DB8:1:2:3:4:5:6', network: '2001:db8:1:2::/64', neighbourhood: '2001:db8:1::/48' },
  { ip: '2001:db8:1:2::', network: '2001:db8:1:2::/64', neighbourhood: '2001:db8:1::/48' },
  { ip: 'fe80::1%eth0', network: 'fe80:0:0:0::/64', neighbourhood: 'fe80:0:0::/48' },
  { ip: 'unknown', network: 'unknown', neighbourhood: 'unknown' },
  { ip: '', network: 'unknown', neighbourhood: 'unknown' },
])('$ip is of $network and $neighbourhood', ({ ip, network, neighbourhood }) => {
  expect([networkOf(ip), neighbourhoodOf(ip)]).toEqual([network, neighbourhood])
})
