import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { AriHttp } from './http.ts'
import { fetchStored } from '../sound/recordings.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function ariOver(listener: RequestListener): Promise<AriHttp> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const http = new AriHttp({
    host: '127.0.0.1',
    port,
    user: 'u',
    secret: 's',
    certificate: null,
    media: { folder: '/nowhere' },
  })
  cleanUps.push(
    () => server.close(),
    () => http.cut(),
  )
  return http
}

const silenceOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => error,
  )

test('slow recordings delay neither calls nor the dialer’s record', async () => {
  const http = await ariOver(({ url }, response) => {
    if (!url?.endsWith('-r/file')) return response.end('{}')
    response.writeHead(200, { 'content-length': 1000 })
    return response.write('RIFF')
  })
  const asked = ['a-r', 'b-r', 'c-r', 'd-r', 'e-r'].map((id) => fetchStored(http, id))
  for (const one of asked)
    one.catch(() => undefined) // they are cut at the end
  ;(await asked[0])?.on('error', () => undefined)
  expect(await http.ari('GET', '/asterisk/ping', { deadlineMs: 1000 })).toEqual({})
  const record = { deadlineMs: 1000, lane: 'record' } as const
  expect(await http.text('/ari/recordings/stored/witness%2Fread-a/file', record)).toBe('{}')
})

test('a deadline also applies while a request waits for a socket, and then it certainly did not leave', async () => {
  const http = await ariOver(() => undefined)
  let freed = 0
  const inFront = Array.from({ length: 4 }, () =>
    silenceOf(http.ari('POST', '/a', { deadlineMs: 3000 })).finally(() => (freed += 1)),
  )
  const queued = await silenceOf(http.ari('POST', '/b', { deadlineMs: 200 }))
  expect(freed).toBe(0)
  expect(queued).toMatchObject({ message: expect.stringContaining('no answer in 200 ms'), left: false })
  for (const one of await Promise.all(inFront)) expect(one).toMatchObject({ left: true })
})

test('a file may take any time while bytes arrive, and is given up when none do', async () => {
  const trickle = (response: ServerResponse, pieces: number): void => {
    response.write('x')
    if (pieces > 0) setTimeout(() => trickle(response, pieces - 1), 100)
    else if (response.req.url === '/ari/ends') response.end()
  }
  const http = await ariOver((_, response) => trickle(response, 8))
  const read = async (path: string): Promise<number> => {
    let length = 0
    for await (const piece of await http.stream(path, 400)) length += String(piece).length
    return length
  }
  expect(await read('/ends')).toBe(9)
  await expect(read('/stalls')).rejects.toThrow('GET /ari/stalls: nothing came for 400 ms')
})
