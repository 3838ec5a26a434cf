import { readFile } from 'node:fs/promises'
import { readCases, refusedCases } from '@ghanti/callflow/testing/wav-cases.ts'
import type { VoiceUpload } from '@ghanti/contract/voices.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSuperAdmin } from '../../testing/seed.ts'

const app = await testApp()
let http: FastifyInstance
let admin: Viewer
let packId: number
beforeAll(async () => {
  http = await testHttp(app)
  admin = await newSuperAdmin(app)
  const payload = { name: 'Words of the office', language: 'ne' }
  const headers = await signedIn(app, admin)
  const made = await http.inject({ method: 'POST', url: '/api/obd/voice-pack', headers, payload })
  packId = made.json<{ packId: number }>().packId
})

async function send(url: string, fields: Record<string, string>, file: string, why: string) {
  const bytes = [...readCases, ...refusedCases].find((one) => one.why === why)?.bytes
  if (bytes === undefined) throw new Error(`there is no case ${why}`)
  const sound =
    typeof bytes === 'string' ? await readFile(new URL(`../../testing/files/${bytes}`, import.meta.url)) : bytes
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set(file, new Blob([sound], { type: 'audio/wav' }), '7.wav')
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const headers = { ...(await signedIn(app, admin)), 'content-type': request.headers.get('content-type') ?? '' }
  return http.inject({ method: 'POST', url, headers, payload: Buffer.from(await request.arrayBuffer()) })
}
const recorded = async (why: string) =>
  (await send('/api/obd/voice-pack/upload', { packId: String(packId) }, 'voiceFile', why)).json<
    VoiceUpload & { errors?: { text: string }[] }
  >()
const noticed = async (why: string) =>
  (await send('/api/obd/recordingnotice/upload', { language: 'ne' }, 'waveFile', why)).json<{
    notes?: string[]
    errors?: { field: string; text: string }[]
  }>()

const odd = ['out of phase, one channel quieter', 'a size that is longer than the file'] as const
const notes = (why: string) => readCases.find((one) => one.why === why)?.notes

test.each(odd)('a word of a pack and the notice are taken with what their sender should know: %s', async (why) => {
  expect(notes(why)).toHaveLength(1)
  expect((await recorded(why)).taken).toEqual([expect.objectContaining({ key: '7', notes: notes(why) })])
  expect(await noticed(why)).toEqual({ message: 'Success', notes: notes(why) })
})

test.each(['GSM', 'MP3 in a wav', 'nothing but zeros', 'silence of 8 bit, which is no zero'])(
  'a word of a pack and the notice are refused by what they are: %s',
  async (why) => {
    const words = refusedCases.find((one) => one.why === why)?.words
    const refused = await recorded(why)
    expect(refused.refused?.map((one) => one.why) ?? refused.errors?.map(({ text }) => text)).toEqual([words])
    expect((await noticed(why)).errors).toEqual([expect.objectContaining({ field: 'waveFile', text: words })])
  },
)
