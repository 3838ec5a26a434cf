/** What each client does with answers, refusals and lost connections, and which webhooks it takes for genuine. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestAggregator, type Asked } from '../server/src/drivers/sms/http/testing.ts'
import { newSecret, signedHeaders } from '../server/src/modules/hooks/actions-signature.ts'
import { languages, linesOf } from './testing/languages.ts'

type Came = {
  answer?: unknown
  status?: number
  code?: string | null
  field?: string | null
  message?: string
  retryAfter?: number | null
}
type Answer = (response: ServerResponse) => void

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const sent = { messageId: '1204-1', state: 'waiting', segments: 1, cost: 1.5 }
const again = { message: 'Request Failed!! Please try again' }
const refusal = (field: string, code: string, text: string) => ({ ...again, errors: [{ field, code, text }] })
const cut: Answer = (response) => void response.destroy()
const broken: Answer = (response) => {
  response.writeHead(200, { 'content-length': '500' }).write('{"messageId": "12')
  setTimeout(() => response.destroy(), 50)
}
const silent: Answer = () => undefined

/** What the server answers to a message, by its reference, the first time, the second, and so on; the last again and again. */
const answers: Readonly<Record<string, readonly Answer[]>> = {
  done: [json(200, sent)],
  named: [json(200, sent)],
  away: [json(503, again), json(200, sent)],
  proxy: [(response) => void response.writeHead(502, {}).end('<html>Bad Gateway</html>'), json(200, sent)],
  cut: [cut, json(200, sent)],
  broken: [broken, json(200, sent)],
  slow: [silent, json(200, sent)],
  underWay: [json(409, refusal('Idempotency-Key', 'in_flight', 'is under way')), json(200, sent)],
  throttled: [json(429, refusal('key', 'throttled', 'asks too often'), { 'retry-after': '1' }), json(200, sent)],
  patience: [json(429, refusal('key', 'throttled', 'asks too often'), { 'retry-after': '3600' })],
  never: [json(503, again)],
  refused: [json(400, refusal('template', 'value_missing', 'has no value for {code}'))],
  moved: [(response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
  fault: [json(500, again)],
  rotated: [cut, json(200, sent)],
  waited: [json(429, refusal('key', 'throttled', 'asks too often'), { 'retry-after': '1' }), json(200, sent)],
}
/** Made by `request`: their answers hold a secret that the server keeps for no repeat. */
const others = ['rotated', 'waited']
const references = Object.keys(answers)

const event = { type: 'messages.changed', timestamp: '2026-11-28T05:20:00.000Z', data: { campaignName: 'सीता' } }
const body = JSON.stringify(event)
const [secret, before, other] = [newSecret(), newSecret(), newSecret()]
const signed = (by: string[], ageMs = 0, text = body) =>
  signedHeaders({ id: 'evt_1', at: new Date(Date.now() - ageMs), body: text }, by)
const capitals = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
const genuine = { answer: { eventId: 'evt_1', ...event } }
const named = JSON.stringify({ ...event, eventId: 'evt_2' })
type Received = { why: string; headers: Record<string, string>; body?: string; came: Came }
const webhooks: Received[] = [
  { why: 'genuine', headers: signed([secret]), came: genuine },
  { why: 'genuine, its headers in capitals', headers: capitals(signed([secret])), came: genuine },
  { why: 'signed by two secrets, ours the second', headers: signed([other, secret]), came: genuine },
  { why: 'signed by two secrets, ours the first', headers: signed([secret, other]), came: genuine },
  { why: 'four minutes old', headers: signed([secret], 240_000), came: genuine },
  { why: 'signed by others', headers: signed([before, other]), came: { status: 0, code: 'signature_wrong' } },
  { why: 'of another body', headers: signed([secret], 0, '{}'), came: { status: 0, code: 'signature_wrong' } },
  { why: 'six minutes old', headers: signed([secret], 360_000), came: { status: 0, code: 'timestamp_old' } },
  { why: 'of tomorrow', headers: signed([secret], -86_400_000), came: { status: 0, code: 'timestamp_old' } },
  {
    why: 'with a name of its own inside',
    headers: signed([secret], 0, named),
    body: named,
    came: { answer: { ...event, eventId: 'evt_1' } },
  },
  ...['not JSON', '4711', 'null', '[1]'].map((text) => ({
    why: `signed, whose body is ${text}`,
    headers: signed([secret], 0, text),
    body: text,
    came: { status: 0, code: 'body' },
  })),
  { why: 'not signed', headers: { 'content-type': 'application/json' }, came: { code: 'signature_missing' } },
]

describe.each(languages)('the client in $name', (language) => {
  const asked = new Map<string, Asked[]>()
  const elsewhere: Asked[] = []
  const came = new Map<string, Came>()
  const reads: string[] = []
  let server: TestAggregator
  const cameOf = (reference: string) => came.get(reference)
  const askedOf = (reference: string) => asked.get(reference) ?? []
  const keysOf = (reference: string) => askedOf(reference).map(({ headers }) => headers['idempotency-key'])

  beforeAll(async () => {
    server = await TestAggregator.listen((request, response) => {
      if (request.method === 'GET') {
        if (!request.url.startsWith('/base/')) elsewhere.push(request)
        reads.push(request.url)
        return json(200, { url: request.url })(response)
      }
      const { reference } = JSON.parse(request.body) as { reference: string }
      const before = askedOf(reference)
      asked.set(reference, [...before, request])
      const all = answers[reference] ?? []
      ;(all[before.length] ?? all.at(-1))?.(response)
    })
    const sends = references.map((reference) => ({
      name: others.includes(reference) ? 'rotate' : 'send',
      given: { to: '9841234567', from: 'HIMALBANK', template: 12, values: { name: 'सीता', code: 4711 }, reference },
      ...(reference === 'named' && { idempotencyKey: 'invoice 1042' }),
    }))
    const gets = [
      { name: 'message', given: '1204-1/?' },
      { name: 'messages', given: 'a b&c=é' },
      { name: 'events', given: 5512 },
    ]
    const hooks = webhooks.map((of) => ({ name: 'verify', secret, headers: of.headers, body: of.body ?? body }))
    const calls = { address: `http://127.0.0.1:${server.port}/base/`, timeout: 1, calls: [...sends, ...gets, ...hooks] }
    const lines = await linesOf(language, 'calls', [JSON.stringify(calls)])
    const names = [...references, ...gets.map(({ name }) => name), ...webhooks.map(({ why }) => why)]
    for (const [i, name] of names.entries()) came.set(name, JSON.parse(lines[i] ?? '{}') as Came)
  })
  afterAll(() => server.close())

  test('sends what it is given, with the key and a name for this message', () => {
    expect(cameOf('done')).toEqual({ answer: sent })
    const [request] = askedOf('done')
    expect(request).toMatchObject({ method: 'POST', url: '/base/api/v1/messages' })
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer gh_live_test',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[\w-]{32,36}$/),
    })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ from: 'HIMALBANK', values: { name: 'सीता', code: 4711 } })
    expect(keysOf('named')).toEqual(['invoice 1042'])
    expect(keysOf('refused')).not.toEqual(keysOf('done'))
  })

  test.each(['away', 'proxy', 'cut', 'broken', 'slow', 'underWay', 'throttled'])(
    'sends again under the same name when the first answer is %s',
    (reference) => {
      expect(cameOf(reference)).toEqual({ answer: sent })
      expect(askedOf(reference)).toHaveLength(2)
      expect(new Set(keysOf(reference)).size).toBe(1)
      expect(askedOf(reference)[1]?.body).toBe(askedOf(reference)[0]?.body)
    },
  )

  test('gives up after its tries, and at once where it would have to wait for long', () => {
    expect(cameOf('never')).toMatchObject({ status: 503, message: again.message })
    expect(askedOf('never')).toHaveLength(2)
    expect(cameOf('patience')).toMatchObject({ status: 429, code: 'throttled', retryAfter: 3600 })
    expect(askedOf('patience')).toHaveLength(1)
  })

  test('makes another change of which nobody knows what became only once, and again where it was told to wait', () => {
    expect(cameOf('rotated')).toMatchObject({ status: 0, code: 'lost' })
    expect(askedOf('rotated')).toHaveLength(1)
    expect(cameOf('waited')).toEqual({ answer: sent })
    expect(askedOf('waited').map(({ url }) => url)).toEqual(Array(2).fill('/base/api/v1/hooks/rotate'))
  })

  test('says what was refused, by status, code and field, and does not repeat it', () => {
    expect(cameOf('refused')).toEqual({
      status: 400,
      code: 'value_missing',
      field: 'template',
      message: 'template has no value for {code}',
      retryAfter: null,
    })
    expect(cameOf('fault')).toMatchObject({ status: 500, code: null, message: again.message })
    for (const reference of ['refused', 'fault']) expect(askedOf(reference)).toHaveLength(1)
  })

  test('shows the key to nobody to whom it is led', () => {
    expect(cameOf('moved')).toMatchObject({ status: 302 })
    expect(elsewhere).toEqual([])
  })

  test('reads by id, by reference and from where it stopped', () => {
    const urls = ['messages/1204-1%2F%3F', 'messages?reference=a+b%26c%3D%C3%A9', 'events?after=5512']
    expect(reads).toEqual(urls.map((url) => `/base/api/v1/${url}`))
  })

  test.each(webhooks)('a webhook that is $why', ({ why, came: wanted }) => {
    expect(cameOf(why)).toMatchObject(wanted)
  })
})
