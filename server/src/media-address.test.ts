import { beforeAll, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { addressOf } from './engine/line-data.ts'
import { newDialerRow } from './engine/testing-rows.ts'
import { testApp } from './testing/app.ts'
import { testHttp } from './testing/http.ts'
import { toneFile } from './testing/sound.ts'
import { promptHandlers } from './modules/prompts/routes.ts'

const app = await testApp()
let http: FastifyInstance
let bytes: Buffer
let hash: string
beforeAll(async () => {
  http = await testHttp(app, { handlers: { prompts: promptHandlers } })
  bytes = Buffer.from(await toneFile('tone.wav', 1).arrayBuffer())
  hash = await app.files.putBytes(bytes)
})

/** As the engine tells it to a dialer. */
function told(of: string, secret = app.config.secret): URL {
  const dialer = newDialerRow({ id: 1, name: 'KTM', media_url: 'http://10.0.0.2:3000/' })
  const { media } = addressOf(dialer, { secret, mediaFolder: '/nowhere' }, 'a1b2c3-')
  if (!('addressOf' in media)) throw new Error('it has an address')
  expect(media.addressOf(of)).toBe(media.addressOf(of))
  return new URL(media.addressOf(of))
}
const fetched = (url: URL) => http.inject({ url: `${url.pathname}${url.search}` })

test('a dialer fetches a sound at an address that stays the same, without a session, and keeps it for ever', async () => {
  const url = told(hash)
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
  const other = await app.files.putBytes(Buffer.from('9841234001\n'))
  const swapped = told(hash)
  swapped.pathname = `/media/${other}.wav`
  expect((await fetched(swapped)).statusCode).toBe(404)
  expect((await fetched(told(hash, Buffer.alloc(32, 7)))).statusCode).toBe(404)
  expect((await fetched(told('0'.repeat(64)))).statusCode).toBe(404)
  const bare = told(hash)
  bare.search = ''
  expect((await fetched(bare)).statusCode).toBe(400)
  const short = told(hash)
  short.searchParams.set('signature', short.searchParams.get('signature')?.slice(0, -1) ?? '')
  expect((await fetched(short)).statusCode).toBe(404)
  expect((await http.inject({ url: '/media/..%2Fsecret?signature=x' })).statusCode).toBe(400)
})
