import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Suite } from '../../suite-bench.ts'
import { newNumber, openBench, operatorTrunk, ownDialer } from '../testing.ts'
import { idOf } from '../trunks/trunk-objects.ts'
import { polling } from '../../../../testing/timeouts.ts'

const elsewhere = '9779841999999'
const sdp =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 9 RTP/AVP 8\r\na=rtpmap:8 PCMA/8000\r\n'

let contact = ''
/** The status with which the operator ends every call, and further headers. */
let refusal = '302 Moved Temporarily'
let more = ''
const invited = new Map<string, string>()
const ended = new Set<string>()
let peer: Socket
/** Nobody else's calls are up on it. */
let own: Awaited<ReturnType<typeof ownDialer>>
let suite: Suite

/** An operator that redirects every call and answers whatever arrives at the other address. */
function take(packet: string, port: number): string | null {
  const [first = '', ...lines] = packet.split('\r\n')
  const field = (name: string): string => lines.filter((line) => line.startsWith(`${name}:`)).join('\r\n')
  const call = field('Call-ID')
  const reply = (status: string, more: string, body = ''): string =>
    [
      `SIP/2.0 ${status}`,
      field('Via'),
      field('From'),
      call,
      field('CSeq'),
      `${field('To').split(';tag=')[0]};tag=1`,
    ].join('\r\n') + `\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
  const number = /^INVITE sip:([^@]+)@/.exec(first)?.[1]
  if (number === undefined) {
    if (first.startsWith('BYE ')) ended.add(call)
    return first.startsWith('ACK ') || first.startsWith('SIP/2.0') ? null : reply('200 OK', '')
  }
  invited.set(call, number)
  const user = number === elsewhere ? '' : `${contact}@`
  const place = `Contact: <sip:${user}127.0.0.1:${port}>\r\n`
  if (number !== elsewhere) return reply(refusal, refusal.startsWith('3') ? place : more)
  return reply('200 OK', `${place}Content-Type: application/sdp\r\n`, sdp)
}

beforeAll(async () => {
  peer = createSocket('udp4')
  peer.bind(0, '127.0.0.1')
  await once(peer, 'listening')
  const { port } = peer.address()
  peer.on('message', (packet, from) => {
    const answer = take(String(packet), port)
    if (answer !== null) peer.send(answer, from.port, from.address)
  })
  own = await ownDialer()
  suite = await openBench('forwarded', own.dialer)
  await suite.connection.setTrunks([operatorTrunk('leaving', { port })])
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
  await own.remove()
  peer.close()
})
beforeEach(() => {
  refusal = '302 Moved Temporarily'
  more = ''
  invited.clear()
  ended.clear()
})

async function forwardedTo(user: string, sipStatus = 302) {
  contact = user
  const request = suite.requestTo('46', { trunk: 'leaving', ringMs: 3000 })
  expect(await suite.connection.dial(request)).toEqual({ outcome: 'dialled' })
  const end = await suite.events.next('hungUp', request.channelId)
  expect(end).toMatchObject({ endedBy: 'network', answeredAt: null, sipStatus }) // whether or not Asterisk ends it before giving the reason
  return request.number.slice(1)
}

const nobodyIsUp = () => expect.poll(() => suite.connection.live(), polling).toEqual([])

test.each([
  { why: 'another number', user: elsewhere },
  {
    why: 'another number, over a trunk whose name was guessed',
    user: `PJSIP/${elsewhere}%40${idOf('forwarded', '', 'leaving')}`,
  },
  { why: 'the place of those who have answered', user: 'Local/s%40ghanti-answered' },
  { why: 'the channel that watches for the product', user: 'Local/s%40ghanti-watch' },
])('a call that the operator forwards is over, and nobody else is called: $why', async ({ user }) => {
  const number = await forwardedTo(user)
  await nobodyIsUp()
  expect([...invited.values()]).toEqual([number])
})

test('even a forward to a trunk’s known name gives no call: it ends as soon as it is answered', async () => {
  const { secret } = own.dialer
  const number = await forwardedTo(`PJSIP/${elsewhere}%40${idOf('forwarded', secret, 'leaving')}`)
  await expect.poll(() => ended.size, polling).toBe(1)
  await nobodyIsUp()
  expect([...invited.values()]).toEqual([number, elsewhere])
})

test.each(['300 Multiple Choices', '305 Use Proxy'])(
  'a redirection is reported with the operator’s own status: %s',
  async (status) => {
    refusal = status
    await forwardedTo(elsewhere, Number(status.slice(0, 3)))
    await nobodyIsUp()
  },
)

test.each([
  { status: '503 Service Unavailable', header: 'Reason: Q.850;cause=17;text="User busy"\r\n', cause: 17 },
  { status: '480 Temporarily Unavailable', header: 'Reason: SIP;cause=480, Q.850 ;cause=20\r\n', cause: 20 },
  { status: '503 Service Unavailable', header: '', cause: 34 },
])(
  'a refusal by $status has the operator’s own cause where it gives one: $cause',
  async ({ status, header, cause }) => {
    refusal = status
    more = header
    const channelId = await suite.call('46', { trunk: 'leaving', number: newNumber('46') })
    const sipStatus = Number(status.slice(0, 3))
    expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'network', sipStatus, cause })
  },
)

test('many calls that are refused at once are looked up together, and all have their causes', async () => {
  refusal = '500 Server Internal Error'
  more = 'Reason: Q.850;cause=38\r\n'
  const calls = await Promise.all(
    Array.from({ length: 40 }, () => suite.call('46', { trunk: 'leaving', number: newNumber('46') })),
  )
  const ends = await Promise.all(calls.map((channelId) => suite.events.next('hungUp', channelId)))
  expect(new Set(ends.map(({ sipStatus, cause }) => `${sipStatus} ${cause}`))).toEqual(new Set(['500 38']))
})

test('how long an operator without room asks to wait comes with the end of the call', async () => {
  const retryAfterOf = async (status: string, header: string) => {
    refusal = status
    more = header
    const channelId = await suite.call('46', { trunk: 'leaving', number: newNumber('46') })
    return (await suite.events.next('hungUp', channelId)).retryAfterMs
  }
  expect(await retryAfterOf('503 Service Unavailable', 'Retry-After: 7\r\n')).toBe(7000)
  expect(await retryAfterOf('503 Service Unavailable', '')).toBeUndefined()
  expect(await retryAfterOf('486 Busy Here', 'Retry-After: 7\r\n')).toBeUndefined()
})
