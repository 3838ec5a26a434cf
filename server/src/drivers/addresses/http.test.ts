import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { HttpClient } from '../sms/http/http-client.ts'
import { TestAggregator } from '../sms/http/testing.ts'
import { httpAddresses } from './http.ts'

const nobody = { loopbackOnly: false, privateHosts: [] }
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

async function service(): Promise<TestAggregator> {
  const peer = await TestAggregator.listen((_asked, response) => void response.end('OK'))
  ends.push(() => peer.close())
  return peer
}

test.each([
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '0',
  '①②⑦.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00::1]',
  '10.0.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
])('no form of a private address is reached: %s', async (host) => {
  const peer = await service()
  const url = new URL(`http://${host}:${peer.port}/`)
  const addresses = httpAddresses()
  expect(await addresses.mayReach(url, nobody)).toBe(false)
  expect(await addresses.ask(url, nobody)).toMatchObject({ kind: 'unreached', forbidden: true })
  expect(peer.asked).toEqual([])
})

test('a listed host is reached, by its address and by a name that the system knows', async () => {
  const peer = await service()
  for (const host of ['127.0.0.1', 'localhost']) {
    const reach = { loopbackOnly: false, privateHosts: [host] }
    const url = new URL(`http://${host}:${peer.port}/`)
    expect(await httpAddresses().mayReach(url, reach)).toBe(true)
    expect(await httpAddresses().ask(url, reach), host).toEqual({ kind: 'answered', status: 200 })
  }
})

/** A name server with these answers for one name, one after the other; the last one stays. */
async function nameServer(answers: readonly string[]): Promise<string> {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (question, from) => {
    const isV4 = question.at(-3) === 1 // QTYPE A; there is no AAAA record
    const address = answers[Math.min(asked, answers.length - 1)] ?? ''
    if (isV4) asked += 1
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(isV4 ? 1 : 0, 6)
    head.writeUInt32BE(0, 8)
    const body = question.subarray(12, question.indexOf(0, 12) + 5)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
    socket.send(Buffer.concat(isV4 ? [head, body, record] : [head, body]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  ends.push(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

test('a name that becomes private between two questions is not reached', async () => {
  const peer = await service()
  const addresses = httpAddresses({ servers: [await nameServer(['8.8.8.8', '127.0.0.1'])] })
  const url = new URL(`http://rebinding.example:${peer.port}/`)
  expect(await addresses.mayReach(url, nobody)).toBe(true)
  expect(await addresses.ask(url, nobody)).toMatchObject({ kind: 'unreached', forbidden: true })
  expect(peer.asked).toEqual([])
})

const sent = { headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' }, body: '{"type":"hook.test"}' }
const local = { loopbackOnly: true, privateHosts: [] }

test('a post leaves whole, and its status ends it: neither another address nor an answer without end is read', async () => {
  const statuses = [204, 302, 429, 200]
  const peer = await TestAggregator.listen((_asked, response) => {
    const status = statuses.shift() ?? 0
    response.writeHead(status, { location: '/elsewhere', ...(status === 429 && { 'retry-after': '120' }) })
    const endless = (): void => void (response.destroyed || response.write('x'.repeat(10_000), endless))
    if (status === 200) endless()
    else response.end()
  })
  ends.push(() => peer.close())
  const url = new URL(`http://127.0.0.1:${peer.port}/hook?of=us`)
  const answers = []
  for (let n = 0; n < 4; n++) answers.push(await httpAddresses().post(url, local, sent))
  expect(answers).toEqual([
    { kind: 'answered', status: 204 },
    { kind: 'answered', status: 302 },
    { kind: 'answered', status: 429, retryAfter: '120' },
    { kind: 'answered', status: 200 },
  ])
  expect(peer.asked).toHaveLength(4)
  expect(peer.asked[0]).toMatchObject({
    method: 'POST',
    url: '/hook?of=us',
    body: sent.body,
    headers: { ...sent.headers, 'user-agent': 'Ghanti', 'content-length': String(sent.body.length) },
  })
})

test('a post goes to no name that becomes private between two questions', async () => {
  const peer = await service()
  const addresses = httpAddresses({ servers: [await nameServer(['8.8.8.8', '10.0.0.1', '127.0.0.1'])] })
  const url = new URL(`http://rebinding.example:${peer.port}/`)
  expect(await addresses.mayReach(url, nobody)).toBe(true)
  for (let n = 0; n < 2; n++)
    expect(await addresses.post(url, nobody, sent)).toMatchObject({ kind: 'unreached', forbidden: true })
  expect(peer.asked).toEqual([])
})

test('an answer in pieces of a byte ends after twice the bytes that an answer may have, with what frames the pieces', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write('1\r\nx\r\n'.repeat(60_000))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => void server.close())
  const { port } = server.address() as AddressInfo
  const client = new HttpClient({ loopbackOnly: true, privateHosts: [] }, 4000)
  const request = { method: 'GET', url: new URL(`http://127.0.0.1:${port}/`), headers: {}, body: null } as const
  expect(await client.send(request, new AbortController().signal)).toEqual({ kind: 'lost', why: 'long', status: 200 })
  client.close()
})
