import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { settingsMark, settingsTextOf } from '../../../model/calls/trunk-data.ts'
import { DialerTrunks } from './trunks.ts'
import { Switchboard } from '../../call/switchboard.ts'
import { newDialerRow, newTrunkRow } from '../../../testing/rows.ts'
import { polling } from '../../../../testing/timeouts.ts'

const dialer = newDialerRow({ name: 'KTM' })
const trunk = newTrunkRow({ name: 'NT-1' })
/** Its dialer knows it. */
const setUp = (trunks: DialerTrunks): DialerTrunks => {
  trunks.pushedTo(new Map(trunks.rows.map((row) => [row.id, settingsTextOf([row])])))
  return trunks
}
const campaign = { trunk_id: 1, route: null, cli_id: 1, cli: '015970001', cli_channels: 30 }
const taken = (legs: number, calls = legs) =>
  Object.assign(new Switchboard(), { legsOfTrunk: () => legs, callsOfCli: () => calls })

test.each([
  { why: 'a free line: the call waits for its second', is: null },
  { why: 'all channels of the trunk talk', legs: 30, is: 'all 30 channels of trunk NT-1 are busy' },
  {
    why: 'all channels of the caller ID talk',
    legs: 20,
    calls: 30,
    is: 'all 30 channels of caller ID 015970001 are busy',
  },
  { why: 'an administrator reduced the dialer to nothing', of: { cps: 0 }, is: 'dialer KTM is set to no calls' },
  { why: 'or its channels', of: { channels: 0 }, is: 'dialer KTM is set to no calls' },
])('$why: $is', ({ legs = 0, calls = legs, of = {}, is }) => {
  const trunks = setUp(new DialerTrunks({ ...dialer, ...of }, [trunk], taken(legs, calls)))
  expect(trunks.inTheWay(campaign)).toBe(is)
})

test('calls that wait for their moment take their part of the next tick’s room', () => {
  const trunks = setUp(new DialerTrunks(dialer, [trunk], taken(0)))
  const room = (queued: number) => trunks.room([campaign], new Map([[1, queued]]), 1000)
  expect(room(0).trunks.get(1)).toBe(10)
  expect([room(4).trunks.get(1), room(4).dialer]).toEqual([6, 6])
})

test('channels of calls that are being claimed are not given to second legs', () => {
  const trunks = setUp(new DialerTrunks({ ...dialer, channels: 40 }, [trunk], taken(28)))
  expect(trunks.legFree(1)).toBe(true)
  trunks.promise(new Map([[1, 2]]))
  expect(trunks.legFree(1)).toBe(false)
  trunks.promise(new Map([[2, 100]]))
  expect(trunks.legFree(1)).toBe(false) // the dialer's
  trunks.promise(new Map())
  expect(trunks.legFree(1)).toBe(true)
})

test('a trunk that was on hold before this engine came stays so until its probe', () => {
  const since = new Date(Date.now() - 60_000)
  const onHold = {
    ...trunk,
    held_since: since,
    hold_reason: 'SIP 603',
    held_for_refusals: true,
    probes: 2,
    next_probe_at: new Date(Date.now() + 60_000),
  }
  const trunks = setUp(new DialerTrunks(dialer, [onHold], taken(0)))
  expect(trunks.trunk(1)?.health.opened).toMatchObject({ reason: 'SIP 603', refusing: true, probes: 2 })
  expect(trunks.room([campaign], new Map(), 1000).trunks.get(1)).toBe(0)
  expect(trunks.probesDue(Date.now())).toEqual([])
  expect(trunks.probesDue(Date.now() + 60_001)).toEqual([1])
})

test('a trunk that is mended while its old probe is in flight is probed again at once, whatever that one met', () => {
  const now = Date.now()
  const onHold = {
    ...trunk,
    held_since: new Date(now),
    hold_reason: 'SIP 503',
    probes: 4,
    next_probe_at: new Date(now),
  }
  const trunks = setUp(new DialerTrunks(dialer, [onHold], taken(0)))
  const faulty = {
    accountId: 1,
    campaignId: 1,
    isProven: false,
    redial: false,
    rang: true,
    isNewEvidence: false,
    probe: true,
    cause: 'SIP 503',
    now,
    timeScale: 1,
  }
  trunks.probing(1, true)
  expect(trunks.mended(1, now)).toBeNull()
  trunks.probing(1, false)
  trunks.observe(1, 'fault', faulty)
  expect(trunks.probesDue(now)).toEqual([1])
  trunks.probing(1, true)
  trunks.probing(1, false)
  trunks.observe(1, 'fault', faulty)
  expect(trunks.probesDue(now)).toEqual([])
  expect(trunks.mended(1, now + 1)?.opened).toMatchObject({ nextProbeAt: now + 1, reason: 'SIP 503' })
  expect(trunks.probesDue(now + 1)).toEqual([1])
})

test('no call is begun, and none probed, before the dialer knows the trunk as it is set, nor while it cannot be used', async () => {
  const since = new Date(Date.now() - 60_000)
  const onHold = {
    held_since: since,
    hold_reason: 'SIP 503',
    held_for_refusals: false,
    probes: 0,
    next_probe_at: since,
  }
  const other = { ...trunk, id: 2, name: 'NT-2', ...onHold }
  const trunks = new DialerTrunks(dialer, [trunk, other], taken(0))
  const begins = () => [trunks.room([campaign], new Map(), 1000).trunks.get(1), trunks.probesDue(Date.now())]
  const nothing = [0, []]
  expect(begins()).toEqual(nothing)
  await sleep(200) // its second in the calls per second has come
  expect(trunks.beginsNow(1)).toBe(false)
  setUp(trunks)
  expect(begins()).toEqual([10, [2]])
  await vi.waitFor(() => expect(trunks.beginsNow(1)).toBe(true), polling)
  trunks.update(dialer, [
    { ...trunk, sip_host: 'sip.example.com' },
    { ...other, sip_port: 5080 },
  ])
  expect(trunks.trunk(1)).toMatchObject({ isSet: false, fault: null })
  expect(begins()).toEqual(nothing)
  setUp(trunks).faultsAre(
    new Map([
      [1, 'it cannot be'],
      [2, 'nor can this'],
    ]),
  )
  expect(trunks.trunk(1)).toMatchObject({ isSet: true, fault: 'it cannot be' })
  expect(begins()).toEqual(nothing)
  trunks.faultsAre(new Map())
  expect(begins()[1]).toEqual([2])
})

test.each([
  { why: 'nothing was changed', now: {}, due: [] },
  { why: 'the trunk was', now: { sip_host: 'sip.example.com' }, due: [1] },
  { why: 'its dialer was', dialer: { host: '10.0.0.2' }, due: [1] },
  { why: 'a name alone mends nothing', now: { name: 'Renamed' }, due: [] },
  { why: 'the open breaker was stored by a release that did not say', mark: null, now: { sip_port: 5080 }, due: [] },
])('of a trunk on hold that comes to another engine the probe is due at once when it was changed: $why', (of) => {
  const held_since = new Date(Date.now() - 60_000)
  const next_probe_at = new Date(Date.now() + 600_000)
  const held_settings = of.mark === undefined ? settingsMark(dialer, trunk) : of.mark
  const onHold = {
    held_since,
    hold_reason: 'SIP 503',
    held_for_refusals: false,
    probes: 5,
    next_probe_at,
    held_settings,
  }
  const trunks = new DialerTrunks({ ...dialer, ...of.dialer }, [{ ...trunk, ...onHold, ...of.now }], taken(0))
  expect(setUp(trunks).probesDue(Date.now())).toEqual(of.due)
})
