/** The operator and the agents as SIPp (Debian's sip-tester): a telephone network that the product did not write. On loopback, for tests. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackage } from '../../scripts/debian.ts'
import { writeScenarios } from './scenarios.ts'

const startMs = 10_000
const endMs = 3000
const pollMs = 50
/** For RTP; SIPp counts up from its first port, two for each call. */
const firstMediaPort = 36_000
const lastMediaPort = 56_000

type PeerName = 'operator' | 'agents' | 'sink' | `refuses-${number}` | 'witness' | 'witness-ignores'
type SippPeer = {
  pid: number
  host: string
  port: number
  /** INVITEs received so far, without retransmissions; SIPp updates the figure once a second. */
  invites(): number
  /** Its log of calls so far, in order. */
  log(): LogLine[]
}
/** `callId` is SIP's, `number` as called, `at` Unix ms. */
export type LogLine = { what: 'INVITE' | 'ANSWERED' | 'ENDED'; number: string; callId: string; at: number }
export type Sipp = { operator: SippPeer; agents: SippPeer; stop(): Promise<void> }

const isThere = (): boolean => spawnSync('sipp', ['-v'], { stdio: 'ignore' }).error === undefined

/** Throws one line that names what is missing. */
export function requireSipp(): void {
  if (!isThere() && !(installPackage('sip-tester') && isThere()))
    throw new Error('the telephony tests need SIPp: apt-get install sip-tester')
  if (process.getuid?.() !== 0)
    throw new Error('the telephony tests need to be root: SIPp sends recorded sound through a raw socket')
}

/** Starts both, with their files in `folder`; they end with `stop`, or with this process. */
export async function startSipp(folder: string): Promise<Sipp> {
  requireSipp()
  fs.mkdirSync(folder, { recursive: true })
  writeScenarios(folder)
  const operator = await startPeer(folder, 'operator')
  const agents = await startPeer(folder, 'agents')
  return {
    operator,
    agents,
    async stop() {
      await Promise.all([operator.end(), agents.end()])
    },
  }
}

export async function startPeer(folder: string, name: PeerName): Promise<SippPeer & { end(): Promise<void> }> {
  const port = await freePort()
  const args = argumentsOf(name, { sip: port, control: await freePort(), media: await freeMediaPort() })
  const errors = path.join(folder, `${name}.errors`)
  const out = fs.openSync(path.join(folder, `${name}.screen`), 'w')
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', 'sipp', ...args], {
    cwd: folder,
    stdio: ['ignore', out, out],
  })
  fs.closeSync(out)
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  await listening(child, port, () => (fs.existsSync(errors) ? fs.readFileSync(errors, 'utf8').trim() : ''))
  const { pid = 0 } = child
  return {
    pid,
    host: '127.0.0.1',
    port,
    invites: () => invitesIn(path.join(folder, `${name}_${pid}_counts.csv`)),
    log: () => logIn(path.join(folder, `${name}.log`)),
    async end() {
      child.kill('SIGTERM')
      const forced = setTimeout(() => child.kill('SIGKILL'), endMs)
      await ended
      clearTimeout(forced)
    },
  }
}

/** Without -ci its control socket would listen on every address. */
function argumentsOf(name: PeerName, ports: { sip: number; control: number; media: number }): string[] {
  const local = '127.0.0.1'
  const sockets = ['-i', local, '-p', `${ports.sip}`, '-mi', local, '-mp', `${ports.media}`, '-ci', local]
  return [
    '-sf',
    `${name}.xml`,
    ...sockets,
    '-cp',
    `${ports.control}`,
    '-nostdin',
    '-trace_counts',
    '-fd',
    '1',
    '-trace_logs',
    '-log_file',
    `${name}.log`,
    ...(name.startsWith('witness') ? ['-trace_msg', '-message_file', `${name}.messages`] : []),
    '-trace_err',
    '-error_file',
    `${name}.errors`,
  ]
}

/** Rejects when the port is taken; 0 means any. */
async function bound(port: number): Promise<Socket> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, '127.0.0.1', resolve)
  })
  return socket
}

const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.close(() => resolve()))

async function freePort(): Promise<number> {
  const socket = await bound(0)
  const { port } = socket.address()
  await closed(socket)
  return port
}

/** SIPp ends when it cannot bind this port and the second after it, so it is far from others in use. */
async function freeMediaPort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = 2 * randomInt(firstMediaPort / 2, lastMediaPort / 2)
    const found = await Promise.allSettled([bound(port), bound(port + 2)])
    const sockets = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await Promise.all(sockets.map(closed))
    if (sockets.length === found.length) return port
  }
  throw new Error(`no free UDP port between ${firstMediaPort} and ${lastMediaPort}`)
}

async function listening(child: ChildProcess, port: number, lastWords: () => string): Promise<void> {
  const entry = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  for (const until = performance.now() + startMs; performance.now() < until; await sleep(pollMs)) {
    if (child.exitCode !== null) throw new Error(`SIPp ended with ${child.exitCode}: ${lastWords()}`)
    if (fs.readFileSync('/proc/net/udp', 'utf8').includes(entry)) return
  }
  child.kill('SIGKILL')
  throw new Error(`SIPp did not start within ${startMs} ms: ${lastWords()}`)
}

/** A column for each message: <number>_INVITE_Recv is how many arrived. */
function invitesIn(file: string): number {
  if (!fs.existsSync(file)) return 0 // SIPp creates it a second after its start
  const [head = '', ...lines] = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
  const column = head.split(';').findIndex((name) => name.endsWith('_INVITE_Recv'))
  const count = lines.at(-1)?.split(';')[column]
  if (column === -1 || count === undefined) throw new Error(`no count of INVITEs in ${file}`)
  return Number(count)
}

function logIn(file: string): LogLine[] {
  if (!fs.existsSync(file)) return []
  return fs.readFileSync(file, 'utf8').split('\n').slice(0, -1).map(logLine)
}

export function logLine(line: string): LogLine {
  const [, what, number = '', callId = '', seconds] = /^(\w+) (\S+) (\S+) .*\t(\d+\.\d+)$/.exec(line) ?? []
  const at = Number(seconds) * 1000
  if ((what !== 'INVITE' && what !== 'ANSWERED' && what !== 'ENDED') || Number.isNaN(at))
    throw new Error(`not a line of SIPp's log: ${line}`)
  return { what, number, callId, at }
}
