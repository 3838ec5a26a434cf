import { refusedCases, readCases } from '@ghanti/callflow/testing/wav-cases.ts'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { promptHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let reseller: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { prompts: promptHandlers } })
  reseller = await newReseller(app, { parent: await newSuperAdmin(app) })
})

/** Each by a user of its own, because an account may not upload many files a minute. */
async function upload(wave: Uint8Array<ArrayBuffer> | string) {
  const bytes =
    typeof wave === 'string' ? await readFile(new URL(`../../testing/files/${wave}`, import.meta.url)) : wave
  const form = new FormData()
  form.set('fileName', 'Greeting')
  form.set('promptCategory', 'welcome')
  form.set('waveFile', new Blob([bytes], { type: 'audio/wav' }), 'greeting.wav')
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const user = await newUser(app, { parent: reseller })
  return http.inject({
    method: 'POST',
    url: '/api/obd/promptupload',
    headers: { ...(await signedIn(app, user)), 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}

test.each(readCases)(
  'the API takes it whole, and says what its sender should know: $why',
  async ({ bytes, seconds, notes }) => {
    const reply = await upload(bytes)
    expect(reply.json()).toEqual({ message: 'Success', promptId: expect.any(Number), ...(notes && { notes }) })
    const { promptId } = reply.json<{ promptId: number }>()
    const stored = await app.db.selectFrom('prompt').select('duration_ms').where('id', '=', promptId).executeTakeFirst()
    expect(stored?.duration_ms).toBe(Math.round(seconds * 1000))
  },
)

test.each(refusedCases)('the API refuses it by what it is: $why', async ({ bytes, words }) => {
  const reply = await upload(bytes)
  expect([reply.statusCode, reply.json()]).toMatchObject([400, { errors: [{ field: 'waveFile', text: words }] }])
})

test('an Apple Lossless file and a 3gp say what they are', async () => {
  const box = (name: string, ...parts: string[]) => {
    const body = parts.join('')
    return `\0\0\0${String.fromCharCode(body.length + 8)}${name}${body}`
  }
  const of = (brand: string, coding: string) => {
    const described = box('stsd', '\0\0\0\0\0\0\0\x01', box(coding))
    const track = box('trak', box('mdia', box('minf', box('stbl', described))))
    return new Uint8Array(Buffer.from(box('ftyp', brand) + box('moov', track), 'latin1'))
  }
  expect((await upload(of('M4A ', 'alac'))).json()).toMatchObject({
    errors: [{ field: 'waveFile', text: 'is audio/mp4 (ALAC) by its content, only wav files are taken' }],
  })
  expect((await upload(of('3gp4', 'samr'))).json()).toMatchObject({
    errors: [{ field: 'waveFile', text: 'is audio/3gpp (AMR) by its content, only wav files are taken' }],
  })
})
