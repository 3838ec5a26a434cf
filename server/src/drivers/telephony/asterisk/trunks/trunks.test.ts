import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Trunk } from '../../driver.ts'
import type { Suite } from '../../suite-bench.ts'
import { newNumber, openBench, operatorCalls, operatorTrunk, ownDialer } from '../testing.ts'
import { polling } from '../../../../testing/timeouts.ts'

/** telephony/trunk-options.test.ts has what an operator sees of the settings of a trunk. */
const exhaustive = { tags: ['exhaustive'] }

let suite: Suite
beforeAll(async () => {
  suite = await openBench('lines')
  return async () => {
    await suite.connection.setTrunks([])
    await suite.connection.close()
  }
})
afterAll(() => suite.fixture.close())

const stateOf = async (name: string) =>
  (await suite.connection.trunkStates()).find((trunk) => trunk.name === name) ?? null

async function callOver(trunk: Trunk, suffix: string, number = newNumber(suffix), cli = '015970001') {
  await suite.connection.setTrunks([trunk])
  const channelId = await suite.call(suffix, { trunk: trunk.name, number, cli, talkMsMax: 300, ringMs: 5000 })
  return suite.events.next('hungUp', channelId)
}

test.each<{ why: string; settings: Partial<Trunk>; cli: string; called: RegExp }>([
  { why: 'as it is kept', settings: {}, cli: '015970001', called: /^97798\d{8}$/ },
  {
    why: 'national behind a 0',
    settings: { numberStrip: '977', numberPrefix: '0' },
    cli: '015970001',
    called: /^098\d{8}$/,
  },
  {
    why: 'with the plus, and the caller ID too',
    settings: { numberPrefix: '+', cliFormat: 'plus' },
    cli: '+97715970001',
    called: /^\+97798\d{8}$/,
  },
  { why: 'over TCP', settings: { transport: 'tcp', cliFormat: 'e164' }, cli: '97715970001', called: /^97798\d{8}$/ },
])('numbers reach the operator in the trunk’s form: $why', async ({ settings, cli, called }) => {
  const number = newNumber('46')
  const end = await callOver(operatorTrunk(`as ${JSON.stringify(settings)}`, settings), '46', number)
  expect(end).toMatchObject({ endedBy: 'timeLimit' })
  const isIt = (line: { number: string }) => line.number.endsWith(number.slice(-8))
  await expect
    .poll(() => operatorCalls().filter(isIt), polling)
    .toEqual([{ cli, number: expect.stringMatching(called) }])
})

test('a trunk’s calls pass with its password; with another one they fail, and the reason names the password', async () => {
  const right = operatorTrunk('account', { user: 'line1', secret: 'line1-secret' })
  expect(await callOver(right, '46')).toMatchObject({ answeredAt: expect.any(Number) })
  const end = await callOver({ ...right, secret: 'another' }, '46')
  expect(end).toMatchObject({ endedBy: 'network', sipStatus: 401, answeredAt: null })
  expect(await stateOf('account')).toMatchObject({ lastFailure: { reason: '401: it wants other credentials' } })
})

test('the name to sign in may differ from the user and have a realm', exhaustive, async () => {
  const options = { ...plainSipOptions, authUser: 'line3@ims.example.np' }
  const right = operatorTrunk('ims', { user: 'line3', secret: 'line3-secret', options })
  expect(await callOver(right, '46')).toMatchObject({ answeredAt: expect.any(Number) })
  expect(await callOver({ ...right, options: plainSipOptions }, '46')).toMatchObject({ sipStatus: 401 })
})

test('where the operator requires encrypted sound, keys are heard with it and calls are refused without it', async () => {
  const options = { ...plainSipOptions, srtp: true }
  const trunk = operatorTrunk('encrypted', { user: 'srtpline', options })
  await suite.connection.setTrunks([trunk])
  const channelId = await suite.answeredCall('12', { trunk: 'encrypted' })
  expect(await suite.events.next('digit', channelId)).toMatchObject({ digit: '2' })
  await suite.connection.hangUp(channelId)
  await suite.events.next('hungUp', channelId)
  expect(await callOver({ ...trunk, options: plainSipOptions }, '46')).toMatchObject({ sipStatus: 488 })
})

test('registration is reported when it succeeds, and when the operator refuses it', async () => {
  const account = { user: 'line1', secret: 'line1-secret', registers: true }
  await suite.connection.setTrunks([
    operatorTrunk('right', account),
    operatorTrunk('wrong', { ...account, secret: 'another' }),
  ])
  await expect.poll(async () => (await stateOf('right'))?.registered, polling).toBe('registered')
  await expect.poll(async () => (await stateOf('wrong'))?.registered, polling).toBe('rejected')
})

test('a missing common codec is the trunk’s fault', exhaustive, async () => {
  const trunk = operatorTrunk('other codecs', { user: 'g722only' })
  expect(await callOver(trunk, '46')).toMatchObject({ endedBy: 'network', sipStatus: 488, cause: 58 })
  expect(await stateOf('other codecs')).toMatchObject({ lastFailure: { reason: '488: no codec in common' } })
})

test('keys sent by SIP INFO are heard like others', exhaustive, async () => {
  const trunk = operatorTrunk('info', { user: 'infoline' })
  await suite.connection.setTrunks([trunk])
  const channelId = await suite.answeredCall('27', { trunk: 'info' })
  await suite.events.until((event) => event.type === 'digit' && event.channelId === channelId && event.digit === '7')
  await suite.connection.hangUp(channelId)
  await suite.events.next('hungUp', channelId)
  expect(suite.events.storyOf(channelId)).toBe('ringing answered 9 7 hungUp')
})

test('a trunk whose host changes is called at its new host at once', exhaustive, async () => {
  const peer = createSocket('udp4')
  peer.bind(0, '127.0.0.1')
  await once(peer, 'listening')
  const invited = new Promise<void>((resolve) =>
    peer.on('message', (packet) => String(packet).startsWith('INVITE ') && resolve()),
  )
  expect(await callOver(operatorTrunk('moves'), '46')).toMatchObject({ answeredAt: expect.any(Number) })
  await suite.connection.setTrunks([operatorTrunk('moves', { port: peer.address().port })])
  const channelId = await suite.call('46', { trunk: 'moves', ringMs: 2000 })
  await invited
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'ringTimeout', alerted: false })
  peer.close()
})

test.each<{ settings: Partial<Trunk>; from: string; asserted: string | null }>([
  { settings: {}, from: '015970001', asserted: null },
  { settings: { user: 'account' }, from: 'account', asserted: '015970001' },
  { settings: { user: 'account', cliHeader: 'from' }, from: '015970001', asserted: null },
  { settings: { user: 'account', cliHeader: 'asserted' }, from: 'account', asserted: '015970001' },
  { settings: { user: 'account', cliHeader: 'both' }, from: '015970001', asserted: '015970001' },
  { settings: { cliHeader: 'both' }, from: '015970001', asserted: '015970001' },
])('the caller ID is in the header that the trunk says: $settings', async ({ settings, from, asserted }) => {
  const peer = createSocket('udp4')
  peer.bind(0, '127.0.0.1')
  await once(peer, 'listening')
  const invited = new Promise<string>((resolve) =>
    peer.on('message', (packet) => String(packet).startsWith('INVITE ') && resolve(String(packet))),
  )
  const name = `header ${JSON.stringify(settings)}`
  await suite.connection.setTrunks([operatorTrunk(name, { port: peer.address().port, ...settings })])
  const channelId = await suite.call('46', { trunk: name, cli: '015970001', ringMs: 1000 })
  const userIn = (header: string, invite: string) =>
    new RegExp(`^${header}:.*<sip:([^@]*)@`, 'm').exec(invite)?.[1] ?? null
  const invite = await invited
  expect([userIn('From', invite), userIn('P-Asserted-Identity', invite)]).toEqual([from, asserted])
  await suite.events.next('hungUp', channelId)
  peer.close()
})

test('calls over a trunk leave no error about its settings in the dialer’s log', async () => {
  const own = await ownDialer() // on one that others use, too, each address of record that they add makes Asterisk read all endpoints again
  const alone = await openBench('lines', own.dialer)
  onTestFinished(async () => {
    await alone.connection.close()
    await Promise.all([alone.fixture.close(), own.remove()])
  })
  const log = () => readFileSync(join(own.recordings, '../../log/messages.log'), 'utf8')
  // Asterisk writes its log when it has time, so lines about the first call may come later.
  const complaintsSince = (time: number) =>
    log()
      .split('\n')
      .filter((line) => /lines-quiet-.* no longer supported/.test(line))
      .filter((line) => !(Date.parse(line.slice(1, 24)) <= time))
  await alone.connection.setTrunks([operatorTrunk('quiet')])
  const call = async () => {
    const channelId = await alone.call('46', { trunk: 'quiet', number: newNumber('46'), talkMsMax: 300 })
    await alone.events.next('hungUp', channelId)
  }
  await call()
  const known = Date.now()
  await call()
  await call()
  expect(log()).toContain('modules will be loaded')
  expect(complaintsSince(known)).toEqual([])
})

test('a peer that does not answer OPTIONS is reported as unreachable, and takes no call', async () => {
  await suite.connection.setTrunks([operatorTrunk('dead', { port: 9 })])
  expect(await suite.connection.optionsPing('dead')).toEqual({
    reachable: false,
    reason: 'trunk dead: 127.0.0.1:9 does not answer OPTIONS',
  })
  expect(await stateOf('dead')).toMatchObject({ reachable: false, roundTripMs: null })
  const reply = await suite.connection.dial(suite.requestTo('46', { trunk: 'dead' }))
  expect(reply).toMatchObject({ outcome: 'trunkFault', reason: expect.stringMatching(/^trunk dead takes no call/) })
})

test(
  'a host whose name does not resolve is reported in words, and no call to it ends as the operator’s refusal',
  exhaustive,
  async () => {
    const host = 'no-such-host.invalid'
    await suite.connection.setTrunks([operatorTrunk('nowhere', { host })])
    const reason = expect.stringMatching(/DNS does not (know|answer for) its host no-such-host\.invalid/)
    expect(await stateOf('nowhere')).toMatchObject({ fault: reason, lastFailure: { reason } })
    const reply = await suite.connection.dial(suite.requestTo('46', { trunk: 'nowhere' }))
    expect(reply).toMatchObject({ outcome: 'trunkFault', reason })
    expect(await suite.connection.optionsPing('nowhere')).toMatchObject({ reachable: false, reason })
    await suite.connection.setTrunks([operatorTrunk('nowhere')])
    expect(await stateOf('nowhere')).toMatchObject({ fault: null })
  },
)

test.each<{ settings: Partial<Trunk>; reason: RegExp }>([
  { settings: { host: 'a host;transport=tcp' }, reason: /its host cannot be one/ },
  {
    settings: { options: { ...plainSipOptions, outboundProxy: 'a proxy;lr' } },
    reason: /its host cannot be one: a proxy;lr/,
  },
  { settings: { port: 0 }, reason: /its port cannot be one/ },
  { settings: { codecs: [] }, reason: /its codecs cannot be/ },
  { settings: { codecs: ['nosuchcodec'] }, reason: /does not take its settings/ },
  { settings: { registers: true }, reason: /user or secret is missing/ },
])('a trunk that cannot be is refused in words, beside one that works: $reason', async ({ settings, reason }) => {
  await suite.connection.setTrunks([operatorTrunk('works'), operatorTrunk('odd', settings)])
  const reply = await suite.connection.dial(suite.requestTo('46', { trunk: 'odd' }))
  expect(reply).toMatchObject({ outcome: 'trunkFault', reason: expect.stringMatching(reason) })
  const said = expect.stringMatching(reason)
  expect(await stateOf('odd')).toMatchObject({ fault: said, lastFailure: { reason: said } })
  expect(await stateOf('works')).toMatchObject({ fault: null })
  const channelId = await suite.answeredCall('46', { trunk: 'works' })
  await suite.connection.hangUp(channelId)
})
