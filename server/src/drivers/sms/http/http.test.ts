import type { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../clock.ts'
import type { AllowedHosts } from '../../outgoing.ts'
import { RecordedEvents } from '../testing-events.ts'
import type { HttpSettings, SmsGateway } from '../driver.ts'
import { messageTo } from '../suite.ts'
import { httpGateways } from './http.ts'
import { requestFor } from './request.ts'
import { httpSettingsFor, TestAggregator } from './testing.ts'

const loopback: AllowedHosts = { loopbackOnly: true, privateHosts: [] }
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

function open(settings: HttpSettings, allowed = loopback): SmsGateway {
  const gateway = httpGateways(allowed, { answerMs: 500, closeMs: 100 })(settings, new RecordedEvents(), systemClock)
  ends.push(() => gateway.close())
  return gateway
}

async function replying(answer: (response: ServerResponse) => void, more: Partial<HttpSettings> = {}) {
  const aggregator = await TestAggregator.listen((_asked, response) => answer(response))
  ends.push(() => aggregator.close())
  return { aggregator, gateway: open(httpSettingsFor(aggregator, more)) }
}

const reply =
  (status: number, text: string) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { location: 'http://127.0.0.1:1/elsewhere' }).end(text)
const accepted = '{"response_code":200,"data":{"id":"x"}}'

test.each([
  { why: 'an id by its rule', status: 200, text: accepted, is: { kind: 'accepted', ids: ['x'] } },
  {
    why: 'no success, by the rule',
    status: 200,
    text: '{"response_code":1003}',
    is: { kind: 'refused', whose: 'gateway' },
  },
  {
    why: 'a message it does not take',
    status: 422,
    text: 'Invalid number',
    is: { kind: 'refused', whose: 'message', code: '422', reason: expect.stringContaining('Invalid number') },
  },
  { why: 'a login it does not take', status: 403, text: '', is: { kind: 'refused', whose: 'gateway' } },
  { why: 'a redirection, which is not followed', status: 302, text: '', is: { kind: 'refused', whose: 'gateway' } },
  { why: 'too many', status: 429, text: '', is: { kind: 'throttled' } },
  {
    why: 'a fault, after which nobody knows',
    status: 500,
    text: '<h1>Oops</h1>',
    is: { kind: 'unknown', answered: false },
  },
  { why: 'a gateway’s gateway that waited in vain', status: 504, text: '', is: { kind: 'unknown' } },
  { why: 'a reply without end', status: 200, text: 'x'.repeat(200_000), is: { kind: 'unknown' } },
])('a reply says: $why', async ({ status, text, is }) => {
  const { gateway, aggregator } = await replying(reply(status, text))
  const submitted = await gateway.submit(messageTo('20'))
  expect(submitted).toMatchObject(is)
  expect(aggregator.asked).toHaveLength(1)
})

test('an acceptance without an id gets ours, which receipts may have', async () => {
  const { gateway } = await replying(reply(200, 'OK'), { success: 'OK', messageId: '' })
  const message = messageTo('20')
  expect(await gateway.submit(message)).toEqual({ kind: 'accepted', ids: [message.token] })
})

test('a message is unknown when the gateway does not answer, and unsent when nobody listens; the state says so', async () => {
  const { gateway, aggregator } = await replying(() => undefined)
  expect(await gateway.submit(messageTo('20'))).toMatchObject({
    kind: 'unknown',
    reason: expect.stringContaining('0.5 s'),
  })
  const nowhere = open(httpSettingsFor({ host: '127.0.0.1', port: 1 }))
  expect(await nowhere.submit(messageTo('20'))).toMatchObject({ kind: 'unsent' })
  expect(nowhere.state).toMatchObject({ bound: false, lastError: 'it cannot be reached: connection refused' })
  expect(aggregator.asked).toHaveLength(1)
})

test('a gateway that answers again is bound again', async () => {
  const first = await TestAggregator.listen()
  const { port } = first
  await first.close()
  const gateway = open(httpSettingsFor({ host: '127.0.0.1', port }))
  await gateway.submit(messageTo('20'))
  expect(gateway.state.bound).toBe(false)
  const again = await TestAggregator.listen((_asked, response) => reply(200, accepted)(response), port)
  ends.push(() => again.close())
  expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
  expect(gateway.state).toMatchObject({ bound: true, lastError: expect.stringContaining('refused') })
})

test('a ping asks the host without a message or a secret, and says why it fails', async () => {
  const { gateway, aggregator } = await replying(reply(404, ''))
  expect(await gateway.ping?.()).toBeNull()
  const [asked] = aggregator.asked
  expect(asked).toMatchObject({ method: 'HEAD', url: '/', body: '' })
  expect(JSON.stringify(asked)).not.toContain('the-token')
  const nowhere = open(httpSettingsFor({ host: '127.0.0.1', port: 1 }))
  expect(await nowhere.ping?.()).toBe('it cannot be reached: connection refused')
  expect(nowhere.state.bound).toBe(false)
})

const open0: AllowedHosts = { loopbackOnly: false, privateHosts: [] }
test.each([
  'http://127.0.0.1',
  'http://localhost',
  'http://2130706433',
  'http://0x7f.1',
  'http://0177.0.0.1',
  'http://0.0.0.0',
  'http://10.1.2.3',
  'http://172.16.0.1',
  'http://192.168.1.1',
  'http://169.254.169.254',
  'http://100.64.0.1',
  'http://[::1]',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[64:ff9b::7f00:1]',
  'http://[fe80::1]',
  'http://[fd00::1]',
  'https://127.0.0.1',
])('a private address is never asked: %s', async (origin) => {
  const { aggregator } = await replying(reply(200, accepted))
  const settings = httpSettingsFor(aggregator, { url: `${origin}:${aggregator.port}/sms?to={to}` })
  const gateway = open(settings, open0)
  const submitted = await gateway.submit(messageTo('20'))
  expect(submitted).toMatchObject({ kind: 'unsent', reason: expect.stringContaining('private') })
  expect(aggregator.asked).toEqual([])
})

test('one that the operator allows may', async () => {
  const { aggregator } = await replying(reply(200, accepted))
  const gateway = open(httpSettingsFor(aggregator), { loopbackOnly: false, privateHosts: ['127.0.0.1'] })
  expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
})

test('a demo sends requests only to this machine', async () => {
  const gateway = open(httpSettingsFor({ host: '8.8.8.8', port: 80 }))
  expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'unsent' })
})

const tricky = 'a&b=c "d"\n<e>\\ {token} नमस्ते%'
const message = { token: 'T1', from: 'GHANTI', to: '9779841000020', text: tricky }
const filled = (more: Partial<HttpSettings>): ReturnType<typeof requestFor> =>
  requestFor(httpSettingsFor({ host: '127.0.0.1', port: 80 }, more), message)

test('a value is escaped for its place and stays a value', () => {
  const form = new URLSearchParams(filled({ body: 'to={to}&text={text}&token={token}&x={id}' }).body ?? '')
  expect([...form]).toEqual([
    ['to', '9841000020'],
    ['text', tricky],
    ['token', 'k3y&='],
    ['x', 'T1'],
  ])
  const json = filled({ headers: { 'Content-Type': 'application/json' }, body: '{"text":"{text}","to":977{to}}' })
  expect(JSON.parse(json.body ?? '')).toEqual({ text: tricky, to: 9_779_841_000_020 })
  const xml = filled({ headers: { 'content-type': 'text/xml' }, body: '<t>{text}</t>' })
  expect(xml.body).not.toMatch(/<e>|&b/)
  const { url, body } = filled({ method: 'GET', url: 'http://127.0.0.1/sms?text={text}&to={to}' })
  expect([url.searchParams.get('text'), url.searchParams.get('to'), body]).toEqual([tricky, '9841000020', null])
  expect(filled({ headers: { Authorization: 'Bearer {token}', 'X-Text': '{text}' } }).headers).toMatchObject({
    authorization: 'Bearer k3y&=',
    'x-text': expect.not.stringMatching(/\n/),
  })
})

test('no message can change the host', () => {
  expect(() => filled({ url: 'http://{from}.example/sms' })).toThrow('host')
})
