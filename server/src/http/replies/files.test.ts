import * as fs from 'node:fs'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import { Readable } from 'node:stream'
import { mebibyte } from '@ghanti/contract/values.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'
import type { PartialHandlers } from '../mount.ts'
import { rangeOf } from './send-file.ts'
import type { EventStream, FileReply, StagedFile } from '../types.ts'

const app = await testApp()
const seen: { input: unknown; files: Record<string, StagedFile | undefined>; bytes: string }[] = []
let listened: FileReply
let stream: EventStream | undefined
const uploaded = {
  message: 'Success',
  baseId: 1,
  rows: 1,
  dialable: 1,
  hiddenLeft: 0,
  hiddenTaken: 0,
  lostLetters: [],
  moreNumbers: [],
  dateOrders: {},
}
const handlers: PartialHandlers = {
  contacts: {
    async baseUpload(_ctx, input, files) {
      seen.push({ input, files, bytes: fs.readFileSync(files.baseFile.path, 'utf8').slice(0, 100) })
      return uploaded
    },
    async paste(_ctx, input, files) {
      seen.push({ input, files, bytes: fs.readFileSync(files.contactList.path, 'utf8').slice(0, 100) })
      return uploaded
    },
  },
  prompts: {
    async upload() {
      return { message: 'Success', promptId: 1 }
    },
    async listen() {
      return listened
    },
  },
  voiceCampaigns: {
    async events(_ctx, opened) {
      stream = opened
      opened.send('balance', { credits: 1, reserved: 0 })
    },
  },
}
let base: string
let headers: { authorization: string }
beforeAll(async () => {
  const server = await testHttp(app, { handlers })
  await server.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  headers = await signedIn(app, await newUser(app))
})

const staged = () => {
  const folder = path.join(app.config.dataFolder, 'uploads')
  return fs.existsSync(folder) ? fs.readdirSync(folder) : []
}
async function send(route: string, fields: Record<string, string>, files: Record<string, File> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const [name, file] of Object.entries(files)) form.append(name, file)
  const reply = await fetch(`${base}/api/obd/${route}`, { method: 'POST', headers, body: form })
  return {
    status: reply.status,
    body: (await reply.json()) as { message: string; errors?: { field: string; text: string }[] },
  }
}
const bytes = (size: number) => new File([new Uint8Array(size).fill(65)], 'numbers.csv', { type: 'text/csv' })

describe('uploads', () => {
  test('files are staged with their name and declared type, fields are input, and nothing stays', async () => {
    const reply = await send(
      'baseupload',
      { baseName: 'June', contactList: '' },
      { baseFile: new File(['9841000001\n'], 'जेठ.csv', { type: 'application/vnd.ms-excel' }) },
    )
    expect(reply.status).toBe(200)
    expect(seen.at(-1)).toMatchObject({
      input: { baseName: 'June' },
      files: { baseFile: { fileName: 'जेठ.csv', declaredType: 'application/vnd.ms-excel', size: 11 } },
      bytes: '9841000001\n',
    })
    expect(staged()).toEqual([])
  })

  test('what processes that were killed had staged goes a day later; what is under way stays', async () => {
    const folder = path.join(app.config.dataFolder, 'uploads')
    for (const name of ['of-a-killed-process', 'under-way']) {
      fs.mkdirSync(path.join(folder, name), { recursive: true })
      fs.writeFileSync(path.join(folder, name, 'baseFile'), '9841000001\n')
    }
    const daysAgo = new Date(Date.now() - 25 * 3600_000)
    fs.utimesSync(path.join(folder, 'of-a-killed-process'), daysAgo, daysAgo)
    await send('baseupload', { baseName: 'July' }, { baseFile: bytes(10) })
    expect(staged()).toEqual(['under-way'])
    fs.rmSync(path.join(folder, 'under-way'), { recursive: true })
  })

  test('a missing file is named together with the wrong fields', async () => {
    const reply = await send('baseupload', { baseName: ' ' })
    expect(reply).toMatchObject({
      status: 400,
      body: {
        message: 'Parameters Incorrect',
        errors: [{ field: 'baseName' }, { field: 'baseFile', text: 'is required' }],
      },
    })
    const notMultipart = await fetch(`${base}/api/obd/baseupload`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"baseName":"a"}',
    })
    expect([notMultipart.status, await notMultipart.json()]).toMatchObject([400, { errors: [{ field: 'baseFile' }] }])
  })

  test('each file has its own limit, to the byte, and the reply says how large it was', async () => {
    expect(
      (await send('promptupload', { fileName: 'a', promptCategory: 'menu' }, { waveFile: bytes(3 * mebibyte) })).status,
    ).toBe(200)
    const over = await send(
      'promptupload',
      { fileName: 'a', promptCategory: 'menu' },
      { waveFile: bytes(3 * mebibyte + 1) },
    )
    expect(over).toMatchObject({ status: 413, body: { message: '3.1 MB is too large, please pick a smaller file' } })
    const large = await send('baseupload', { baseName: 'June' }, { baseFile: bytes(25 * mebibyte) })
    expect(large).toMatchObject({ status: 413, body: { message: '25.1 MB is too large, please pick a smaller file' } })
    expect(staged()).toEqual([])
  })

  test('a field that is too long is refused, never cut', async () => {
    const reply = await send('contactlist', { contactList: '9'.repeat(20 * mebibyte + 1) })
    expect(reply).toMatchObject({ status: 413, body: { message: '20.1 MB is too large, please pick a smaller file' } })
    const name = await send('baseupload', { baseName: '9'.repeat(mebibyte + 1) }, { baseFile: bytes(10) })
    expect(name).toMatchObject({ status: 413, body: { message: '1.1 MB is too large, please pick a smaller file' } })
  })

  test('a text as long as a file goes to the disk like one, from a form or JSON, and under an Idempotency-Key its bytes count', async () => {
    const text = '9841000001, नौ आठ'
    const form = new FormData()
    form.append('contactList', text)
    const json = { 'content-type': 'application/json' }
    for (const [body, type] of [
      [form, {}],
      [JSON.stringify({ contactList: text }), json],
    ] as const) {
      const reply = await fetch(`${base}/api/obd/contactlist`, {
        method: 'POST',
        headers: { ...headers, ...type },
        body,
      })
      expect(reply.status).toBe(200)
      expect(seen.at(-1)).toMatchObject({ input: {}, files: { contactList: { size: 25, fileName: '' } }, bytes: text })
      expect(staged()).toEqual([])
    }
    const keyed = async (body: string) =>
      (
        await fetch(`${base}/api/obd/contactlist`, {
          method: 'POST',
          headers: { ...headers, ...json, 'idempotency-key': 'paste' },
          body,
        })
      ).status
    expect([await keyed('{"contactList":"1"}'), await keyed('{"contactList":"1"}')]).toEqual([200, 200])
    expect(await keyed('{"contactList":"2"}')).toBe(422)
    const wrong = await fetch(`${base}/api/obd/contactlist`, {
      method: 'POST',
      headers: { ...headers, ...json },
      body: '{"contactList":5}',
    })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      { errors: [{ field: 'contactList', text: 'must be text' }] },
    ])
  })

  test('files that the contract does not name are dropped unread', async () => {
    const reply = await send(
      'contactlist',
      { contactList: '9841000001' },
      { __proto__x: bytes(10), other: bytes(3 * mebibyte) },
    )
    expect(reply.status).toBe(200)
    expect(staged()).toEqual([])
  })

  test('a file or field that is there twice is named', async () => {
    const form = new FormData()
    for (const name of ['June', 'July']) form.append('baseName', name)
    for (let i = 0; i < 2; i++) form.append('baseFile', bytes(10))
    const reply = await fetch(`${base}/api/obd/baseupload`, { method: 'POST', headers, body: form })
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      {
        errors: [
          { field: 'baseName', text: 'is there twice' },
          { field: 'baseFile', text: 'is there twice' },
        ],
      },
    ])
    expect(staged()).toEqual([])
  })

  const part = '--b\r\ncontent-disposition: form-data; name="baseFile"; filename="a.csv"\r\n\r\n9841'
  test.each([
    ['without a boundary', 'multipart/form-data', `${part}\r\n--b--\r\n`],
    ['that ends in a file', 'multipart/form-data; boundary=b', part],
    ['that ends in a file which nobody wants', 'multipart/form-data; boundary=b', part.replace('baseFile', 'other')],
    ['that ends in a header', 'multipart/form-data; boundary=b', part.slice(0, 30)],
  ])('a body %s is not readable', async (_why, type, body) => {
    const reply = await fetch(`${base}/api/obd/baseupload`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body,
    })
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { errors: [{ field: 'body', text: 'is not readable' }] },
    ])
    expect(staged()).toEqual([])
  })

  test('a client that disconnects in the middle leaves nothing behind', async () => {
    const request = http.request(`${base}/api/obd/baseupload`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b', 'content-length': 5_000_000 },
    })
    request.on('error', () => {})
    request.write(
      '--b\r\ncontent-disposition: form-data; name="baseFile"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\n9841',
    )
    await expect.poll(() => staged().length).toBe(1)
    request.destroy()
    await expect.poll(() => staged().length).toBe(0)
  })
})

describe('files', () => {
  const listen = (range?: string) =>
    fetch(`${base}/assets/voice/1/prompts/a.wav`, { headers: { ...headers, ...(range ? { range } : {}) } })

  test('a stored file comes whole or in ranges, never into a shared cache', async () => {
    listened = {
      type: 'audio/wav',
      fileName: 'स्वागत "a".wav',
      inline: true,
      body: { hash: await app.files.putBytes(Buffer.from('0123456789')) },
    }
    const whole = await listen()
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-length': '10',
      'content-type': 'audio/wav',
      'content-disposition': `inline; filename="______ _a_.wav"; filename*=UTF-8''${encodeURIComponent('स्वागत "a".wav')}`,
      'x-content-type-options': 'nosniff',
    })
    const part = await listen('bytes=2-4')
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234'])
    const last = await listen('bytes=-3')
    expect([last.status, await last.text()]).toEqual([206, '789'])
    const beyond = await listen('bytes=10-')
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
  })

  test('a file’s answer, a refusal too, may stand in a frame of the console and in no other', async () => {
    const framed = {
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy': expect.stringMatching("default-src 'self'.*frame-ancestors 'self'"),
    }
    expect(Object.fromEntries((await listen()).headers)).toMatchObject(framed)
    const refused = await fetch(`${base}/assets/voice/1/prompts/a.wav`)
    expect([refused.status, Object.fromEntries(refused.headers)]).toMatchObject([401, framed])
  })

  test('a stream comes as it is made', async () => {
    listened = { type: 'text/csv', fileName: 'a.csv', body: { stream: Readable.from(['a\n', 'b\n']) } }
    expect(await (await listen('bytes=0-1')).text()).toBe('a\nb\n')
  })

  test('a stream that fails before its first byte is answered like every failure, and as no file', async () => {
    const broken = new Readable({ read: () => broken.destroy(new Error('the database went away')) })
    listened = { type: 'text/csv', fileName: 'a.csv', body: { stream: broken } }
    const reply = await listen()
    expect([reply.status, reply.headers.get('content-disposition')]).toEqual([500, null])
    expect(await reply.json()).toEqual({ message: 'Request Failed!! Please try again' })
  })

  test.each([
    { header: undefined, gives: 'none' },
    { header: 'bytes=0-0', gives: { start: 0, end: 0 } },
    { header: 'bytes=5-', gives: { start: 5, end: 9 } },
    { header: 'bytes=5-99', gives: { start: 5, end: 9 } },
    { header: 'bytes=-99', gives: { start: 0, end: 9 } },
    { header: 'bytes=-0', gives: 'bad' },
    { header: 'bytes=10-11', gives: 'bad' },
    { header: 'bytes=4-2', gives: 'none' },
    { header: 'bytes=0-1,3-4', gives: 'none' },
    { header: 'items=0-1', gives: 'none' },
  ])('range $header of ten bytes', ({ header, gives }) => expect(rangeOf(header, 10)).toEqual(gives))
})

test('events stream through, and a closing server ends them', async () => {
  const server = await testHttp(app, { handlers })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const reply = await fetch(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/obd/events`, {
    headers,
  })
  expect(reply.headers.get('content-type')).toBe('text/event-stream')
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  const text = reply.text() // ends with the stream
  await expect.poll(() => stream).toBeDefined()
  stream?.send('campaigns', [])
  await server.close()
  expect(await text).toBe(':\n\nevent: balance\ndata: {"credits":1,"reserved":0}\n\nevent: campaigns\ndata: []\n\n')
})
