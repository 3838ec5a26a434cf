import { beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { Fields } from '../testing/requests.ts'
import { addressOf } from '../voice/model/calls/trunk-data.ts'
import { loadDialersOf } from '../voice/model/campaigns/snapshot.sql.ts'
import { handlers } from '../handlers.ts'
import { mediaAddress } from './media-address.ts'
import { testApp } from '../testing/app.ts'
import { signedIn, testHttp } from '../testing/http.ts'
import { newSuperAdmin } from '../testing/seed.ts'
import { toneFile } from '../testing/files/sound.ts'

const app = await testApp()
let http: FastifyInstance
let admin: { authorization: string }
let bytes: Buffer
let hash: string
beforeAll(async () => {
  http = await testHttp(app, { handlers: { prompts: handlers.prompts, dialers: handlers.dialers } })
  admin = await signedIn(app, await newSuperAdmin(app))
  bytes = Buffer.from(await toneFile('tone.wav', 1).arrayBuffer())
  hash = await app.files.putBytes(bytes)
})

let port = 8088
const ari = { user: 'ghanti', secret: 'first', mediaUrl: 'http://10.0.0.2:3000/' }
async function newDialer(): Promise<{ dialerId: number; said: Fields }> {
  const said = { dialerName: `KTM ${++port}`, dialerIP: '127.0.0.1', dialerPort: port, driver: 'asterisk', ari }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/dialer', headers: admin, payload: said })
  expect(reply.statusCode, reply.body).toBe(200)
  return { dialerId: reply.json().dialerId, said }
}
async function change({ dialerId, said }: Awaited<ReturnType<typeof newDialer>>, to: Fields): Promise<void> {
  const payload = { ...said, ari: { user: ari.user, mediaUrl: ari.mediaUrl }, ...to, dialerId }
  const reply = await http.inject({ method: 'POST', url: '/api/obd/dialer/update', headers: admin, payload })
  expect(reply.statusCode, reply.body).toBe(200)
}

async function addressFor(dialerId: number, of = hash): Promise<URL> {
  const [dialer] = await loadDialersOf(app.pool, [dialerId])
  if (!dialer) throw new Error('it is gone')
  const { media } = addressOf(dialer, { secret: app.config.secret, mediaFolder: '/nowhere' }, 'a1b2c3-')
  if (!('addressOf' in media)) throw new Error('it has an address')
  expect(media.addressOf(of)).toBe(media.addressOf(of))
  return new URL(media.addressOf(of))
}
const fetched = (url: URL) => http.inject({ url: `${url.pathname}${url.search}` })
const statusOf = async (url: URL) => (await fetched(url)).statusCode

test('a dialer fetches a sound at an address that stays the same, without a session, and keeps it for ever', async () => {
  const { dialerId } = await newDialer()
  const url = await addressFor(dialerId)
  expect(url.origin).toBe('http://10.0.0.2:3000')
  expect(url.href).not.toContain(',') // a comma splits Asterisk's list of sounds
  const reply = await fetched(url)
  expect(reply.statusCode).toBe(200)
  expect(reply.headers).toMatchObject({
    'content-type': 'audio/wav',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(bytes.length),
  })
  expect(reply.rawPayload.equals(bytes)).toBe(true)
})

test('nothing else is reached: not without its own signature of this installation, and not what is no sound', async () => {
  const { dialerId } = await newDialer()
  const other = await app.files.putBytes(Buffer.from('9841234001\n'))
  const swapped = await addressFor(dialerId)
  swapped.pathname = `/media/${other}.wav`
  expect(await statusOf(swapped)).toBe(404)
  const [row] = await loadDialersOf(app.pool, [dialerId])
  if (!row) throw new Error('it is gone')
  const elsewhere = mediaAddress('http://10.0.0.2:3000', Buffer.alloc(32, 7), row, hash)
  expect(await statusOf(new URL(elsewhere))).toBe(404)
  expect(await statusOf(await addressFor(dialerId, '0'.repeat(64)))).toBe(404)
  const bare = await addressFor(dialerId)
  bare.search = ''
  expect(await statusOf(bare)).toBe(400)
  const signature = (await addressFor(dialerId)).searchParams.get('signature') ?? ''
  for (const forged of [
    signature.slice(0, -1),
    signature.replace(/^\d+/, ''),
    signature.replace(/^\d+/, '999999999'),
    signature.replace(/^\d+/, '99999999999999999999'),
    signature.replace(/^\d+\./, ''),
    `${signature}=`,
    `0${signature}`,
    '1.',
    'x',
  ]) {
    const url = await addressFor(dialerId)
    url.searchParams.set('signature', forged)
    expect(await statusOf(url), forged).toBe(404)
  }
  expect((await http.inject({ url: '/media/..%2Fsecret?signature=x' })).statusCode).toBe(400)
})

test('an address is one dialer’s: in the name of another it opens nothing', async () => {
  const [one, two] = [await newDialer(), await newDialer()]
  const url = await addressFor(one.dialerId)
  const signature = url.searchParams.get('signature') ?? ''
  url.searchParams.set('signature', signature.replace(/^\d+/, String(two.dialerId)))
  expect(await statusOf(url)).toBe(404)
})

test.each([
  ['another password', { ari: { ...ari, secret: 'second' } }],
  ['the same password entered again', { ari }],
  ['another user', { ari: { ...ari, user: 'another' } }],
  ['another address of the dialer', { dialerIP: '127.0.0.2', ari }],
])('with %s old addresses open nothing any more, and new ones do', async (_, to) => {
  const dialer = await newDialer()
  const before = await addressFor(dialer.dialerId)
  expect(await statusOf(before)).toBe(200)
  await change(dialer, to)
  expect(await statusOf(before)).toBe(404)
  expect(await statusOf(await addressFor(dialer.dialerId))).toBe(200)
})

test('another name, rate or number of channels leaves them: what the dialer fetched stays of use', async () => {
  const dialer = await newDialer()
  const before = await addressFor(dialer.dialerId)
  await change(dialer, { dialerName: 'PKR', cps: 7, totalChannels: 70, channelReduction: 5 })
  expect((await addressFor(dialer.dialerId)).href).toBe(before.href)
  expect(await statusOf(before)).toBe(200)
})

test('with the dialer its addresses end', async () => {
  const { dialerId } = await newDialer()
  const before = await addressFor(dialerId)
  const url = `/api/obd/dialer/${dialerId}`
  expect((await http.inject({ method: 'DELETE', url, headers: admin })).statusCode).toBe(200)
  expect(await statusOf(before)).toBe(404)
})
