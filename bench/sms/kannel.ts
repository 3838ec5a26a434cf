/** Kannel with its store on disk, from Debian's package unpacked below `home`, for comparison. Loopback only; `stop` ends it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as http from 'node:http'
import * as net from 'node:net'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../bench.ts'

const script = path.resolve(import.meta.dirname, '../../telephony/kannel.sh')
const [startMs, endMs] = [30_000, 10_000]
/** As many as a client with many concurrent requests keeps open. */
const connections = 64

export type Kannel = {
  pids: number[]
  /** Resolves once its store has the message. */
  submit(to: string, text: string): Promise<void>
  /** Receipts that it forwarded, one HTTP request each. */
  receipts(): number
  stop(): Promise<void>
}

/** Bound to the message centre at `smsc`, with up to `window` unanswered submits. */
export async function startKannel(home: string, smsc: { port: number; window: number }): Promise<Kannel> {
  const [programs = '', libraries = ''] = execFileSync('bash', [script, home], { encoding: 'utf8' }).split('\n')
  const counter = await startCounter()
  const [admin, box, sendsms] = [await freePort(), await freePort(), await freePort()]
  const config = path.join(home, 'kannel.conf')
  fs.mkdirSync(path.join(home, 'spool'), { recursive: true })
  fs.writeFileSync(config, configured({ home, admin, box, sendsms, ...smsc }))
  const start = (program: string): ChildProcess =>
    spawn(path.join(programs, program), ['-v', '4', config], {
      env: { PATH: process.env['PATH'], LD_LIBRARY_PATH: libraries },
      stdio: 'ignore',
    })
  const bearerbox = start('bearerbox')
  const status = `http://127.0.0.1:${admin}/status.txt?password=bench`
  await within(startMs, 'the start of Kannel', untilPageContains(status, 'online'))
  const smsbox = start('smsbox')
  await within(startMs, 'the start of Kannel’s smsbox', untilPageContains(status, 'smsbox:'))
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const common = new URLSearchParams({
    username: 'bench',
    password: 'bench',
    from: 'GHANTI',
    coding: '2',
    charset: 'UTF-8',
  })
  common.set('dlr-mask', '3')
  common.set('dlr-url', `http://127.0.0.1:${counter.port}/%d`)
  return {
    pids: [bearerbox, smsbox].flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    async submit(to, text) {
      const query = new URLSearchParams([...common, ['to', to], ['text', text]])
      const reply = await got(`http://127.0.0.1:${sendsms}/cgi-bin/sendsms?${query}`, agent)
      if (reply.status !== 202) throw new Error(`Kannel refused a message: ${reply.status} ${reply.text}`)
    },
    receipts: () => counter.delivered(),
    async stop() {
      for (const child of [smsbox, bearerbox]) {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await within(endMs, 'the end of Kannel', ended).catch(() => child.kill('SIGKILL'))
      }
      agent.destroy()
      await counter.stop()
    },
  }
}

function configured(of: { home: string; admin: number; box: number; sendsms: number; port: number; window: number }) {
  return `group = core
admin-port = ${of.admin}
admin-interface = 127.0.0.1
admin-password = bench
smsbox-port = ${of.box}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
store-type = spool
store-location = ${path.join(of.home, 'spool')}
dlr-storage = internal

group = smsc
smsc = smpp
smsc-id = bench
host = 127.0.0.1
port = ${of.port}
transceiver-mode = true
smsc-username = bench
smsc-password = secret
system-type = ""
interface-version = 34
max-pending-submits = ${of.window}

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-interface = 127.0.0.1
sendsms-port = ${of.sendsms}

group = sendsms-user
username = bench
password = bench
max-messages = 3
`
}

/** Takes receipts; the last part of the path is 1 for a delivered message. */
async function startCounter(): Promise<{ port: number; delivered(): number; stop(): Promise<void> }> {
  let delivered = 0
  const server = http.createServer((request, response) => {
    if (request.url === '/1') delivered += 1
    response.end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    delivered: () => delivered,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

function portOf(server: net.Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens at no port')
  return address.port
}

/** Waits until the page contains it. */
async function untilPageContains(url: string, what: string): Promise<void> {
  for (;;) {
    const { text } = await got(url).catch(() => ({ text: '' }))
    if (text.includes(what)) return
    await sleep(50)
  }
}

function got(url: string, agent?: http.Agent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, agent ? { agent } : {}, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.on('error', reject)
  })
}
