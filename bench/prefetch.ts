/**
 * How fast sounds reach a dialer: `npm run bench:prefetch -- [sounds]` (10,000 of 3 s). A real Asterisk on this machine gets them in a shared
 * folder, then over HTTP. Meanwhile the sockets for calls are asked for live channels, to show how long a call would wait.
 */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asteriskDriver } from '@ghanti/server/drivers/telephony/asterisk/asterisk.ts'
import type { DialerConnection, Media, MediaPlace } from '@ghanti/server/drivers/telephony/driver.ts'
import { startLocalAsterisk } from '@ghanti/server/demo/local-asterisk.ts'
import { withHeader } from '@ghanti/server/audio/wav.ts'
import { sizeOf, smallest } from './bench.ts'

const wanted = sizeOf(10_000, 5)
const quietMs = smallest ? 100 : 3000
const seconds = 3
const batch = 200
const askEveryMs = 20

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-bench-prefetch-'))
const stored = path.join(folder, 'stored')
fs.mkdirSync(stored)
const asterisk = await startLocalAsterisk({
  home: path.join(folder, 'asterisk'),
  freePorts: true,
  parent: process.pid,
  say: () => undefined,
})
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'audio/wav', 'cache-control': 'max-age=31536000, immutable' })
  fs.createReadStream(path.join(stored, path.basename(request.url ?? '', '.wav'))).pipe(response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

function sounds(): Media[] {
  const samples = Int16Array.from({ length: seconds * 8000 }, (_, n) => 9000 * Math.sin(n / 3))
  return Array.from({ length: wanted }, (_, n) => {
    samples[0] = n % 30_000
    samples[1] = Math.floor(n / 30_000)
    const wav = withHeader(samples)
    const hash = createHash('sha256').update(wav).digest('hex')
    fs.writeFileSync(path.join(stored, hash), wav)
    return { hash, path: path.join(stored, hash), durationMs: seconds * 1000 }
  })
}

/** How long requests for calls take meanwhile, in ms. */
async function waits(connection: DialerConnection, signal: AbortSignal): Promise<number[]> {
  const taken: number[] = []
  while (!signal.aborted) {
    const began = performance.now()
    await connection.live()
    taken.push(performance.now() - began)
    await sleep(askEveryMs)
  }
  return taken.toSorted((one, other) => one - other)
}

const inWords = (taken: readonly number[]): string => {
  const at = (share: number): string => (taken[Math.floor(taken.length * share)] ?? 0).toFixed(1)
  return `a call's request ${at(0.5)} ms, ${at(0.99)} ms at the 99th percentile`
}

async function measured(what: string, media: readonly Media[], place: MediaPlace): Promise<void> {
  const address = { ...asterisk.dialer, certificate: null, media: place }
  const connection = await asteriskDriver({ app: 'bench' }).connect(address)
  const ending = new AbortController()
  const waiting = waits(connection, ending.signal)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  let failed = 0
  for (let at = 0; at < media.length; at += batch) {
    const reply = await connection.prefetch(media.slice(at, at + batch))
    failed += reply.failed.length
  }
  const took = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpu)
  ending.abort()
  const figures = `${media.length.toLocaleString('en')} in ${took.toFixed(1)} s, ${(media.length / took).toFixed(0)} a second, ${failed} failed`
  console.log(`${what}: ${figures}; ${((user + system) / 1e6).toFixed(1)} s of CPU here; ${inWords(await waiting)}`)
  await connection.close()
  if (failed > 0) process.exitCode = 1
}

try {
  const media = sounds()
  const quiet = await asteriskDriver({ app: 'bench' }).connect({
    ...asterisk.dialer,
    certificate: null,
    media: { folder },
  })
  console.log(`nothing else: ${inWords(await waits(quiet, AbortSignal.timeout(quietMs)))}`)
  await quiet.close()
  await measured('in a folder', media, { folder: path.join(folder, 'shared') })
  await measured('again', media, { folder: path.join(folder, 'shared') })
  await measured('over HTTP', media, { addressOf: (hash) => `http://127.0.0.1:${port}/${hash}.wav` })
} finally {
  await asterisk.stop()
  server.close()
  fs.rmSync(folder, { recursive: true, force: true })
}
