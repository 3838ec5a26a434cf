/** An SMPP message centre on this machine, for demo, tests and bench: Debian's Net::SMPP, a codec that the product did not write. Loopback only. */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const script = path.resolve(import.meta.dirname, '../../../telephony/smsc.sh')
const endMs = 3000
const logName = 'arrived.log'

export type LocalSmscOptions = {
  /** The folder where its package is unpacked if needed, and where its log is. */
  home: string
  /** Left out: any free port. */
  port?: number
  /** Also listens with TLS, with this certificate. */
  tls?: { port: number; cert: string; key: string }
  /** Further options of telephony/smsc-net-smpp.pl. */
  options?: readonly string[]
}

export type LocalSmsc = {
  pid: number
  host: string
  port: number
  /** Any other login works too, with this password. */
  systemId: string
  password: string
  /** What arrived so far, from the centre's own log. */
  log(): SmscLog
  ended: Promise<void>
  stop(): Promise<void>
}
type SmscLog = {
  accepted: { id: string; to: string; from: string; part: string }[]
  messages: { to: string; from: string; text: string }[]
}

/** Rejects with the script's own words for what is missing. It ends with this process. */
export async function startLocalSmsc({ home, port = 0, tls, options = [] }: LocalSmscOptions): Promise<LocalSmsc> {
  fs.mkdirSync(home, { recursive: true })
  const log = path.join(home, logName)
  const front = tls ? ['--tls-port', String(tls.port), '--cert', tls.cert, '--key', tls.key] : []
  const args = ['--port', String(port), '--log', log, '--parent', String(process.pid), '--quiet', ...front, ...options]
  const child = spawn('env', [`SMSC_HOME=${home}`, 'bash', script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let complaint = 'telephony/smsc.sh could not be started'
  createInterface({ input: child.stderr }).on('line', (line) => (complaint = line))
  const listening = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('listening on ')) resolve(Number(line.slice('listening on '.length)))
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(complaint)))
  })
  return {
    port: await listening,
    pid: child.pid ?? 0,
    host: '127.0.0.1',
    systemId: 'ghanti',
    password: 'secret',
    log: () => smscLog(home),
    ended,
    async stop() {
      child.kill('SIGTERM')
      const forced = setTimeout(() => child.kill('SIGKILL'), endMs)
      await ended
      clearTimeout(forced)
    },
  }
}

const restartsMax = 5
const againMs = 1000

/** A centre that is started again at the same port when it was killed. */
export async function keepLocalSmsc(home: string, say: (line: string) => void): Promise<LocalSmsc> {
  const first = await startLocalSmsc({ home })
  const stopping = new AbortController()
  let current = first
  const keep = async (): Promise<void> => {
    for (let restarts = 0; restarts < restartsMax; restarts += 1) {
      await current.ended
      await sleep(againMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      say('The SMPP message centre is not running: it is started again')
      current = await startLocalSmsc({ home, port: first.port })
    }
  }
  const kept = keep().catch((error: unknown) => say(`The SMPP message centre could not be started: ${String(error)}`))
  return {
    ...first,
    async stop() {
      stopping.abort()
      await current.stop()
      await kept
    },
  }
}

/** The log of the centre in `home`, which may have ended. */
export function smscLog(home: string): SmscLog {
  const file = path.join(home, logName)
  const log: SmscLog = { accepted: [], messages: [] }
  if (!fs.existsSync(file)) return log
  const whole = fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) // the last line may still be written
  for (const line of whole) {
    const [what, one = '', two = '', three = '', part = ''] = line.split(' ')
    if (what === 'accepted') log.accepted.push({ id: one, to: two, from: three, part })
    if (what === 'message') log.messages.push({ to: one, from: two, text: Buffer.from(three, 'base64').toString() })
  }
  return log
}
