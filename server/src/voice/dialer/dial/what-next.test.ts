import { expect, test } from 'vitest'
import { hostsMax } from '../../../lib/trunk-limits.ts'
import type { CallEnd } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import type { Classification } from '../../model/calls/disposition.ts'
import { whatNext, type TrunkAtEnd } from './what-next.ts'

type Told = {
  call?: Partial<Pick<Call, 'carried' | 'cancelled' | 'isAdopted'>>
  attempt?: Partial<Call['attempt']>
  plan?: Partial<Pick<Call['plan'], 'isTest' | 'retries'>> & { flow?: object }
  leg?: object | null
  end?: Partial<CallEnd>
  said?: Classification['disposition'] | null
  trunk?: Partial<TrunkAtEnd>
}

/** A call whose trunk did not carry it, which has another host, another trunk and two other dialers. */
function next({ call = {}, attempt = {}, plan = {}, leg = {}, end = {}, said = 'CONGESTION', trunk = {} }: Told) {
  const hungUp = { startedAt: 1000, answeredAt: null, at: 2000, endedBy: 'network', sipStatus: 503, cause: 34 }
  const ended = {
    carried: false,
    cancelled: false,
    isAdopted: false,
    alertedAt: null,
    ...call,
    attempt: { id: 1, notHosts: [], attemptNo: 1, congestions: 0, failures: 0, ...attempt },
    plan: { campaignId: 7, isTest: false, retries: 0, retryMs: 60_000, flow: {}, ...plan },
  }
  const of = { refused: null, patchBillMs: null, beside: null, keys: '', trail: null, agent: null, agentMissed: null }
  return whatNext(
    ended as never,
    { ...of, ...end, leg: leg && { ...hungUp, alerted: false, failedHost: 'a.example', ...leg } } as never,
    {
      classified: said && { disposition: said, sign: 'fault', endedBy: 'network' },
      rules: [],
      mayCallAgain: true,
      isFault: null,
      nextTrunkId: null,
      others: 2,
      timeScale: 1,
      ...trunk,
    },
  )
}

const known = { isFault: true, nextTrunkId: 9 }

test.each<{ why: string; of: Told; is: ReturnType<typeof next>['is'] }>([
  { why: 'a host of the trunk did not carry it, and there is another', of: {}, is: 'nextHost' },
  { why: 'its trunk has one host', of: { leg: { failedHost: undefined } }, is: 'awaitProof' },
  {
    why: 'all its hosts were tried',
    of: { attempt: { notHosts: Array.from({ length: hostsMax - 1 }, String) } },
    is: 'awaitProof',
  },
  {
    why: 'another engine dialled it: nobody knows which hosts it tried',
    of: { call: { isAdopted: true } },
    is: 'awaitProof',
  },
  { why: 'no call may begin over the trunk now', of: { trunk: { mayCallAgain: false } }, is: 'awaitProof' },
  { why: 'the telephone rang', of: { call: { carried: true } }, is: 'awaitProof' },
  { why: 'another engine saw it ring', of: { leg: { alerted: true } }, is: 'awaitProof' },
  { why: 'somebody stopped it', of: { call: { cancelled: true } }, is: 'awaitProof' },
  {
    why: 'the number is engaged: only calls that come tell whose fault that is',
    of: { said: 'BUSY' },
    is: 'awaitProof',
  },
  { why: 'nobody knows how it ended', of: { leg: null, said: null }, is: 'settle' },
  { why: 'the trunk was at fault, and the route has another', of: { trunk: known }, is: 'nextTrunk' },
  { why: 'it rang before the trunk failed', of: { call: { carried: true }, trunk: known }, is: 'settle' },
  {
    why: 'the fault is our own',
    of: { leg: null, end: { refused: { outcome: 'error', reason: 'x' } }, trunk: known },
    is: 'settle',
  },
  { why: 'its end comes from the dialer’s record', of: { end: { fromRecord: true }, trunk: known }, is: 'settle' },
  {
    why: 'the agent of a Call Now has been asked for this call',
    of: { plan: { flow: { connect: { agent: '+1' } } }, trunk: known },
    is: 'settle',
  },
  { why: 'no trunk here is left, but two other dialers are', of: { trunk: { isFault: true } }, is: 'yieldToOthers' },
  {
    why: 'the first of two others has failed too',
    of: { attempt: { congestions: 1 }, trunk: { isFault: true } },
    is: 'yieldToOthers',
  },
  {
    why: 'all have failed once: the row waits as after any congestion',
    of: { attempt: { congestions: 2 }, trunk: { isFault: true } },
    is: 'settle',
  },
  {
    why: 'and then goes round again',
    of: { attempt: { congestions: 3 }, trunk: { isFault: true } },
    is: 'yieldToOthers',
  },
  { why: 'no other dialer has a trunk for it', of: { trunk: { isFault: true, others: 0 } }, is: 'settle' },
  {
    why: 'it met congestion too often: its outcome is final',
    of: { attempt: { congestions: 6 }, trunk: { isFault: true, others: 3 } },
    is: 'settle',
  },
  {
    why: 'somebody waits at the telephone for a test call',
    of: { plan: { isTest: true }, trunk: { isFault: true } },
    is: 'yieldToOthers',
  },
  {
    why: 'the trunk was not at fault: what the far end said stands',
    of: { said: 'BUSY', trunk: { isFault: false } },
    is: 'settle',
  },
])('a call that has ended: $why', ({ of, is }) => {
  expect(next(of).is).toBe(is)
})

test('a row that is yielded to others is due at once, and its attempt is settled as congestion', () => {
  expect(next({ trunk: { isFault: true } })).toMatchObject({ outcome: { disposition: 'CONGESTION', retryInMs: 0 } })
})

test('what the far end said is settled as congestion where the trunk was at fault', () => {
  const settled = (isFault: boolean) => next({ said: 'BUSY', plan: { retries: 1 }, trunk: { isFault } })
  expect(settled(false)).toMatchObject({ outcome: { disposition: 'BUSY', retryInMs: 60_000 } })
  expect(settled(true)).toMatchObject({ outcome: { disposition: 'CONGESTION', retryInMs: 30_000 } })
})

test('the hosts that were tried, and the one that failed now, are not tried again', () => {
  expect(next({ attempt: { notHosts: ['b.example'] } })).toEqual({
    is: 'nextHost',
    notHosts: ['b.example', 'a.example'],
  })
})
