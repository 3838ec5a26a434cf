/** The edge as it runs in production (edge.sh), on the loopback, for tests. */
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const startMs = 20_000
const pollMs = 50
const script = (name: string): string => path.join(import.meta.dirname, name)

/** Throws one line that names what is missing. */
function kamailio(): Record<string, string> {
  const unpacked = path.resolve(import.meta.dirname, '../../.ghanti/kamailio')
  const { status, stdout, stderr } = spawnSync(script('kamailio.sh'), [unpacked], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the telephony tests need Kamailio: ${stderr.trim()}`)
  const [program = '', modules = '', libraries = ''] = stdout.split('\n')
  return { KAMAILIO: program, MODULES: modules, LD_LIBRARY_PATH: libraries }
}

export type Edge = { place: string; port: number; end(): Promise<void> }

/** Starts one at `address`, on any free port unless one is given, and waits until it replies; it ends with `end`, or with this process. */
export async function startEdge(
  folder: string,
  address: string,
  settings: Record<string, string>,
  givenPort?: number,
): Promise<Edge> {
  const own = kamailio()
  const port = givenPort ?? (await freePort(address))
  const home = path.join(folder, address)
  fs.mkdirSync(home, { recursive: true })
  const place = { EDGE_HOME: home, EDGE_BIND: address, EDGE_PORT: `${port}`, EDGE_CHILDREN: '1' }
  const out = fs.openSync(path.join(home, 'screen'), 'w')
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', script('edge.sh')], {
    env: { ...process.env, ...settings, ...own, ...place },
    stdio: ['ignore', out, out],
  })
  fs.closeSync(out)
  const ended = once(child, 'close')
  const end = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  for (const deadline = performance.now() + startMs; !(await replies(address, port)); await sleep(pollMs)) {
    if (child.exitCode === null && performance.now() < deadline) continue
    await end()
    throw new Error(`the edge did not start: ${fs.readFileSync(path.join(home, 'screen'), 'utf8')}`)
  }
  return { place: `${address}:${port}`, port, end }
}

async function freePort(address: string): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

async function replies(address: string, port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  try {
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const own = socket.address().port
    const lines = [
      `OPTIONS sip:${address}:${port} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${own};branch=z9hG4bK${own}`,
      `From: <sip:test@127.0.0.1>;tag=${own}`,
      `To: <sip:${address}>`,
      `Call-ID: ${own}`,
      'CSeq: 1 OPTIONS',
      'Max-Forwards: 70',
      'Content-Length: 0',
    ]
    socket.on('error', () => undefined) // nobody listens there yet
    socket.send([...lines, '', ''].join('\r\n'), port, address)
    return await Promise.race([once(socket, 'message').then(() => true), sleep(200).then(() => false)])
  } finally {
    socket.close()
  }
}
