/** Settings that only some operators need, with SIPp as such an operator: what it receives, and how it behaves. */
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { plainSipOptions, type SipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Trunk } from '../server/src/drivers/telephony/driver.ts'
import { openBench, operatorTrunk } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startWitness, type Witness } from './sipp/witness.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-options-'))
const suite = await openBench('asked')
let operator: Witness
let deaf: Witness
beforeAll(async () => {
  operator = await startWitness(folder)
  deaf = await startWitness(folder, { ignoresOptions: true })
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await Promise.all([suite.fixture.close(), operator.end(), deaf.end()])
  fs.rmSync(folder, { recursive: true, force: true })
})

const cli = '015970001'
function trunkWith(name: string, options: Partial<SipOptions>, other: Partial<Trunk> = {}): Trunk {
  const { host, port } = operator
  return operatorTrunk(name, { host, port, ...other, options: { ...plainSipOptions, ...options } })
}
const stateOf = async (name: string) => (await suite.connection.trunkStates()).find((trunk) => trunk.name === name)
const requests = (witness: Witness, method: string) => witness.messages().filter((one) => one.startsWith(`${method} `))
const header = (message: string, name: string): string | null =>
  new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(message)?.[1] ?? null

type Asked = { why: string; options: Partial<SipOptions>; other?: Partial<Trunk>; shows: Record<string, RegExp | null> }
const ims = 'ims.example.np'
const asked: Asked[] = [
  {
    why: 'plain',
    options: {},
    shows: {
      From: /^<sip:015970001@127\.0\.0\.1>/,
      Supported: /100rel.*timer|timer.*100rel/,
      'Session-Expires': /^90/,
      'P-Preferred-Identity': null,
      'Remote-Party-ID': null,
      Diversion: null,
    },
  },
  { why: 'a domain of From', options: { fromDomain: ims }, shows: { From: /^<sip:015970001@ims\.example\.np>/ } },
  {
    why: 'P-Preferred-Identity, From naming the user',
    options: { identityHeader: 'preferred', fromDomain: ims },
    other: { user: 'account' },
    shows: {
      From: /^<sip:account@ims\.example\.np>/,
      'P-Preferred-Identity': /^<sip:015970001@ims\.example\.np>$/,
      'P-Asserted-Identity': null,
    },
  },
  {
    why: 'Remote-Party-ID beside From',
    options: { identityHeader: 'remoteParty' },
    other: { cliHeader: 'both' },
    shows: {
      From: /^<sip:015970001@/,
      'Remote-Party-ID': /^<sip:015970001@[^>]+>;party=calling/,
      'P-Asserted-Identity': null,
    },
  },
  {
    why: 'Diversion',
    options: { diversion: '+97715970009' },
    shows: { Diversion: /^<sip:\+97715970009@127\.0\.0\.1>;reason=unconditional/ },
  },
  {
    why: 'user=phone',
    options: { userPhone: true, identityHeader: 'preferred', diversion: '015970009' },
    other: { cliHeader: 'both' },
    shows: {
      INVITE: /^sip:97798\d+@[\d.:]+;user=phone SIP/,
      From: /^<sip:015970001@[^>]+;user=phone>/,
      To: /;user=phone>/,
      'P-Preferred-Identity': /;user=phone>$/,
      Diversion: /;user=phone>;/,
    },
  },
  { why: 'a user of Contact', options: { contactUser: 'trunk7' }, shows: { Contact: /^<sip:trunk7@/ } },
  { why: 'without 100rel', options: { rel100: 'off' }, shows: { Supported: /^(?!.*100rel)/ } },
  { why: 'with 100rel alone', options: { rel100: 'required' }, shows: { Require: /100rel/ } },
  {
    why: 'without session timers',
    options: { sessionTimers: 'off' },
    shows: { 'Session-Expires': null, Supported: /^(?!.*timer)/ },
  },
  {
    why: 'session timers of ten minutes, which the operator may take',
    options: { sessionTimers: 'offered', sessionSeconds: 600 },
    shows: { 'Session-Expires': /^600/, Supported: /timer/ },
  },
  { why: 'keys by SIP INFO alone', options: { dtmf: 'info' }, shows: { body: /^(?![^]*telephone-event)/ } },
  { why: 'keys by RFC 4733', options: { dtmf: 'rfc4733' }, shows: { body: /telephone-event\/8000/ } },
  { why: 'keys in the sound', options: { dtmf: 'inband' }, shows: { body: /^(?![^]*telephone-event)/ } },
  {
    why: 'one codec',
    options: {},
    other: { codecs: ['g722'] },
    shows: { body: /^m=audio \d+ RTP\/AVP 9 101\r?$/m },
  },
]
const nameOf = (n: number): string => `asked ${n}`
const numberOf = (n: number): string => `+977984200${String(n).padStart(2, '0')}01`

let invites = new Map<string, string>()
beforeAll(async () => {
  const trunks = asked.map(({ options, other }, n) => trunkWith(nameOf(n), options, other))
  await suite.connection.setTrunks(trunks)
  const calls = await Promise.all(asked.map((_, n) => suite.call('01', { trunk: nameOf(n), number: numberOf(n), cli })))
  await Promise.all(calls.map((channelId) => suite.events.next('hungUp', channelId)))
  invites = new Map(requests(operator, 'INVITE').map((one) => [`+${/sip:(\d+)@/.exec(one)?.[1]}`, one]))
})

test.each(asked.map((of, n) => ({ ...of, n })))('an INVITE is as the operator asks for it: $why', ({ n, shows }) => {
  const invite = invites.get(numberOf(n)) ?? ''
  for (const [name, pattern] of Object.entries(shows)) {
    const shown =
      name === 'INVITE'
        ? /^INVITE (.*?)\r?$/m.exec(invite)?.[1]
        : name === 'body'
          ? invite.split(/\r?\n\r?\n/)[1]
          : header(invite, name)
    if (pattern) expect(shown, `${name} of ${invite}`).toMatch(pattern)
    else expect(shown, `${name} of ${invite}`).toBeNull()
  }
})

test('requests pass through the outbound proxy, for the operator’s own domain, which DNS need not know', async () => {
  const place = `127.0.0.1:${operator.port}`
  const options = { outboundProxy: place, fromDomain: ims }
  const account = { host: ims, port: 5060, user: '015970001', secret: 'secret', registers: true }
  await suite.connection.setTrunks([trunkWith('proxied', options, account)])
  await expect
    .poll(async () => await stateOf('proxied'), polling)
    .toMatchObject({ registered: 'registered', reachable: true, fault: null })
  const number = '+9779842009901'
  const channelId = await suite.call('01', { trunk: 'proxied', number, cli })
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ sipStatus: 486 })
  const invite = requests(operator, 'INVITE').find((one) => one.includes(number.slice(1))) ?? ''
  expect(invite).toMatch(/^INVITE sip:9779842009901@ims\.example\.np/)
  expect(header(invite, 'Route')).toBe(`<sip:${place};lr>`)
  const register = requests(operator, 'REGISTER').find((one) => one.includes(ims)) ?? ''
  expect(register).toMatch(/^REGISTER sip:ims\.example\.np/)
  expect(header(register, 'To')).toMatch(/^<sip:015970001@ims\.example\.np>/)
})

test('several users register over one trunk, each with its own Contact, and removed ones are unregistered', async () => {
  const account = { user: '015970010', secret: 'secret', registers: true }
  const userIn = (message: string, name: string) => /sip:(\w+)@/.exec(header(message, name) ?? '')?.[1] ?? ''
  const usersOf = (since: number): string[] => {
    const all = requests(operator, 'REGISTER').slice(since)
    const told = all.map((one) => {
      const isEnd = /expires=0|^Expires: 0/im.test(one)
      return `${userIn(one, 'To')} ${userIn(one, 'Contact')}${isEnd ? ' gone' : ''}`
    })
    return [...new Set(told)].filter((one) => one.startsWith('01597001')).toSorted()
  }
  const before = requests(operator, 'REGISTER').length
  const aors = ['015970011', '015970012']
  await suite.connection.setTrunks([trunkWith('several', { aors }, account)])
  await expect.poll(async () => (await stateOf('several'))?.registered, polling).toBe('registered')
  expect(usersOf(before)).toEqual(['015970010 015970010', '015970011 015970011', '015970012 015970012'])
  const again = requests(operator, 'REGISTER').length
  await suite.connection.setTrunks([trunkWith('several', { aors: aors.slice(0, 1) }, account)])
  await expect.poll(() => usersOf(again), polling).toContain('015970012 015970012 gone')
  await expect.poll(async () => (await stateOf('several'))?.registered, polling).toBe('registered')
  await suite.connection.setTrunks([])
})

test('with an operator that ignores OPTIONS none are sent, its state is unknown, calls pass, and a ping says to call instead', async () => {
  const { host, port } = deaf
  await suite.connection.setTrunks([trunkWith('deaf', { sendsOptions: false }, { host, port })])
  const channelId = await suite.call('01', { trunk: 'deaf', number: '+9779842008801' })
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ sipStatus: 486 })
  expect(await stateOf('deaf')).toMatchObject({ reachable: null, fault: null })
  expect(await suite.connection.optionsPing('deaf')).toEqual({
    reachable: false,
    reason: 'trunk deaf is not asked by OPTIONS: make a test call',
  })
  expect(requests(deaf, 'OPTIONS')).toEqual([])
})

test.each([
  { why: 'by SIP INFO', dtmf: 'info', suffix: '73' },
  { why: 'in the sound', dtmf: 'inband', suffix: '74' },
  { why: 'in the sound, where no events were agreed on', dtmf: 'auto', suffix: '74' },
] as const)('keys are heard $why', async ({ dtmf, suffix }) => {
  await suite.connection.setTrunks([trunkWith('keys', { dtmf })])
  const channelId = await suite.answeredCall(suffix, { trunk: 'keys' })
  expect(await suite.events.next('digit', channelId)).toMatchObject({ digit: '5' })
  await suite.connection.hangUp(channelId)
  await suite.events.next('hungUp', channelId)
})

test('the operator’s OPTIONS are answered and its calls refused, only from its trunk’s addresses', async () => {
  await suite.connection.setTrunks([trunkWith('asks', { addresses: ['127.0.0.5', '127.0.1.0/24'] })])
  expect(await asks('OPTIONS', '127.0.0.5')).toBe(200)
  expect(await asks('OPTIONS', '127.0.1.7')).toBe(200)
  expect(await asks('OPTIONS', '127.0.2.7')).toBe(401)
  expect(await asks('INVITE', '127.0.0.5')).toBe(403)
})

/** The final status of a request to the dialer from this address. */
async function asks(method: 'OPTIONS' | 'INVITE', from: string): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, from)
  await once(socket, 'listening')
  const dialerPort = Number(inject('asterisk').ports.AST_SIP_PORT)
  const id = randomUUID()
  const sdp = 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 8\r\n'
  const head = (of: string) => [
    `${of} sip:015970001@127.0.0.1:${dialerPort} SIP/2.0`,
    `Via: SIP/2.0/UDP ${from}:${socket.address().port};branch=z9hG4bK${id};rport`,
    `From: <sip:switch@${from}>;tag=${id}`,
    `To: <sip:015970001@127.0.0.1>`,
    `Call-ID: ${id}`,
    `CSeq: 1 ${of}`,
    `Contact: <sip:switch@${from}:${socket.address().port}>`,
    'Max-Forwards: 70',
  ]
  const end =
    method === 'OPTIONS'
      ? ['Content-Length: 0', '', '']
      : ['Content-Type: application/sdp', `Content-Length: ${sdp.length}`, '', sdp]
  socket.send([...head(method), ...end].join('\r\n'), dialerPort, '127.0.0.1')
  for (;;) {
    const [packet] = await once(socket, 'message')
    const status = Number(/^SIP\/2\.0 (\d+)/.exec(String(packet))?.[1])
    if (status < 200) continue
    if (method === 'INVITE')
      socket.send([...head('ACK'), 'Content-Length: 0', '', ''].join('\r\n'), dialerPort, '127.0.0.1')
    socket.close()
    return status
  }
}

test('a provisional reply that requires it is acknowledged (PRACK)', async () => {
  await suite.connection.setTrunks([trunkWith('reliable', {})])
  const channelId = await suite.call('75', { trunk: 'reliable', ringMs: 2000 })
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'ringTimeout', alerted: true })
  expect(requests(operator, 'PRACK').map((one) => header(one, 'RAck'))).toContainEqual(
    expect.stringMatching(/^1 \d+ INVITE/),
  )
})
