import { plainSipOptions, type SipOptions } from '@ghanti/contract/sip-options.ts'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startLocalAsterisk } from '../../../demo/local-asterisk.ts'
import type { DialerAddress, Trunk } from '../driver.ts'
import { SoundFolder } from '../sound-folder.ts'
import { Suite } from '../suite-bench.ts'
import { asteriskDriver } from './asterisk.ts'
import { type Names, systemNames } from './trunks/host-name.ts'

export function asteriskDialer(folder: string): DialerAddress {
  const { dialer } = inject('asterisk')
  return { ...dialer, certificate: null, media: { folder } }
}

export function operatorTrunk(name: string, other: Partial<Trunk> = {}): Trunk {
  return {
    name,
    ...inject('asterisk').operator,
    transport: 'udp',
    user: '',
    secret: '',
    codecs: ['alaw', 'ulaw'],
    registers: false,
    cliFormat: 'national',
    cliHeader: 'auto',
    numberStrip: '',
    numberPrefix: '',
    options: plainSipOptions,
    ...other,
  }
}

/** A connected dialer to call with. Each test file has its own application, since files run side by side. */
export async function openBench(
  app: string,
  dialer: Partial<DialerAddress> = {},
  names: Names = systemNames(),
): Promise<Suite> {
  const sounds = new SoundFolder()
  const suite = new Suite(async () => ({
    driver: asteriskDriver({ app, names }),
    dialer: { ...asteriskDialer(sounds.shared), ...dialer },
    trunk: operatorTrunk('operator'),
    silent: operatorTrunk('silent', { port: 9 }),
    twoHosts: operatorTrunk('two hosts', { port: 9 }),
    media: [await sounds.tone(600), await sounds.tone(900)],
    async close() {
      sounds.remove()
    },
  }))
  await suite.open()
  try {
    await suite.connect()
    return suite
  } catch (error) {
    sounds.remove()
    throw error
  }
}

export function newNumber(suffix: string): string {
  return `+97798${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}${suffix}`
}

/** The operator's own log: which numbers it was asked to call, from which caller IDs. */
export function operatorCalls(): { cli: string; number: string }[] {
  const lines = readFileSync(inject('asterisk').operatorCalls, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const fields = [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
    return { cli: fields[1] ?? '', number: fields.at(-1) ?? '' }
  })
}

/** A dialer that the test may kill. The operator, which all tests share, survives it. */
export async function ownDialer(settings: Readonly<Record<string, string>> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'ghanti-killed-'))
  const start = () => startLocalAsterisk({ home, freePorts: true, parent: process.pid, settings, say: () => undefined })
  const first = await start()
  return {
    dialer: first.dialer,
    operator: first.operator,
    operatorCalls: first.operatorCalls,
    recordings: first.recordings,
    start,
    kill() {
      const folder = readFileSync(join(home, 'dialer/run-folder'), 'utf8').trim()
      process.kill(Number(readFileSync(join(folder, 'asterisk.pid'), 'utf8')), 'SIGKILL')
    },
    async remove() {
      await first.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** `afterMs`: from the call's first INVITE. */
type Reply = { afterMs: number; status: string }

const echoed = /^(via|v|from|f|call-id|i|cseq):.*$/gim

/** An operator of few words: it ignores OPTIONS and replies to each call what it is told to, or nothing. */
export async function startTersePeer(replies: readonly Reply[]) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  const received: string[] = []
  const known = new Set<string>()
  const timers: NodeJS.Timeout[] = []
  socket.on('message', (packet, from) => {
    const request = String(packet)
    const method = /^[A-Z]+/.exec(request)?.[0] ?? ''
    received.push(request)
    const say = (status: string): void => socket.send(replyTo(request, status), from.port, from.address)
    const branch = /^via:.*branch=([^;\s]+)/im.exec(request)?.[1] ?? ''
    if (method === 'CANCEL') {
      say('200 OK')
      say('487 Request Terminated')
    }
    if (method !== 'INVITE' || known.has(branch)) return
    known.add(branch)
    for (const { afterMs, status } of replies) timers.push(setTimeout(() => say(status), afterMs))
  })
  return {
    port,
    /** Requests of this method, as they arrived. */
    received: (method: string) => received.filter((one) => one.startsWith(`${method} `)),
    trunk: (name: string, options: Partial<SipOptions> = {}): Trunk =>
      operatorTrunk(name, { port, options: { ...plainSipOptions, sendsOptions: false, ...options } }),
    close(): void {
      for (const timer of timers) clearTimeout(timer)
      socket.close()
    },
  }
}

/** To a CANCEL, 487 is the reply to the INVITE that it ends. */
export function replyTo(request: string, status: string, more: readonly string[] = [], body = ''): string {
  const ofInvite = status.startsWith('487') ? request.replace(/^(cseq:.*) CANCEL/im, '$1 INVITE') : request
  const headers = ofInvite.match(echoed) ?? []
  const to = /^(?:to|t):.*$/im.exec(request)?.[0] ?? ''
  const tag = status.startsWith('100') || to.includes(';tag=') ? '' : ';tag=terse'
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [`SIP/2.0 ${status}`, ...headers, to + tag, ...more, length, '', body].join('\r\n')
}
