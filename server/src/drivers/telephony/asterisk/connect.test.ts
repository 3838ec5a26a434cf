import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as tls from 'node:tls'
import { X509Certificate } from 'node:crypto'
import { afterEach, expect, inject, test } from 'vitest'
import { TelephonyError } from '../driver.ts'
import { asteriskDriver } from './asterisk.ts'
import { polling } from '../../../testing/timeouts.ts'
import { asteriskDialer } from './testing.ts'

const driver = asteriskDriver({ app: 'connects' })
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port
}

async function refusal(other: Parameters<typeof asteriskDialer>[0] | object): Promise<string> {
  const refused: unknown = await driver.connect({ ...asteriskDialer('/nowhere'), ...Object(other) }).then(
    (connection) => connection.close(),
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(TelephonyError)
  return String(refused)
}

test('a port where nobody listens is refused in words', async () => {
  expect(await refusal({ port: 9 })).toMatch(/no dialer at 127\.0\.0\.1:9: .*ECONNREFUSED/)
})

test('another password is refused in words', async () => {
  expect(await refusal({ secret: 'another' })).toMatch(/401 Authentication required/)
})

test('connecting to a dialer that does not answer fails after five seconds', async () => {
  const port = await listening(createServer(() => undefined))
  expect(await refusal({ port })).toMatch(/no answer in 5000 ms/)
})

test.each(['22.1.1', '20.18.2', '18.10.0~dfsg', 'certified/20.7-cert3', 'unknown'])(
  'Asterisk %s is too old',
  async (version) => {
    const status = { startup_time: '2026-11-21T22:29:11.176+0000' }
    const old = createServer((_, response) => response.end(JSON.stringify({ system: { version }, status })))
    expect(await refusal({ port: await listening(old) })).toMatch(
      new RegExp(`it is Asterisk ${version}, but 22.2 or newer is needed`),
    )
  },
)

test('over TLS only the dialer with the configured certificate receives any request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ghanti-certificate-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=dialer', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const { dialer } = inject('asterisk')
  let heard = 0
  const server = tls.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (near) => {
    const far = connect(dialer.port, dialer.host)
    near.on('data', (bytes) => (heard += bytes.length))
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => socket.destroy())
    near.on('close', () => far.destroy())
  })
  const port = await listening(server)
  const certificate = new X509Certificate(readFileSync(cert)).fingerprint256
  expect(await refusal({ port, certificate: 'ab'.repeat(32) })).toMatch(/the dialer shows another certificate/)
  expect(heard).toBe(0)
  const connection = await driver.connect({ ...asteriskDialer('/nowhere'), port, certificate })
  expect(await connection.live()).toBeInstanceOf(Array)
  await connection.close()
})

/** Asterisk behind a network that answers this request once as if the application did not exist. */
async function forgetting(request: string): Promise<{ port: number; forget(): void }> {
  const { dialer } = inject('asterisk')
  let forgets = false
  const server = createTcpServer((near) => {
    const far = connect(dialer.port, dialer.host)
    far.pipe(near)
    near.on('data', (bytes: Buffer) => {
      if (!forgets || !bytes.includes(request)) return far.write(bytes)
      forgets = false
      const body = '{"message": "Application not found"}'
      return near.end(`HTTP/1.1 404 Not Found\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    })
    for (const socket of [near, far]) socket.on('error', () => socket.destroy())
    near.on('close', () => far.destroy())
  })
  return { port: await listening(server), forget: () => void (forgets = true) }
}

test('an application that Asterisk removed with the previous connection is registered again', async () => {
  const { port, forget } = await forgetting('PUT /ari/applications/connects/eventFilter')
  forget()
  const connection = await driver.connect({ ...asteriskDialer('/nowhere'), port })
  expect(await connection.live()).toBeInstanceOf(Array)
  await connection.close()
})

test('an application that Asterisk removes later is noticed, and the connection comes back by itself', async () => {
  const { port, forget } = await forgetting('GET /ari/applications/connects')
  const connection = await driver.connect({ ...asteriskDialer('/nowhere'), port })
  const heard: string[] = []
  const ofItself = (type: string) => type === 'lost' || type === 'restored'
  connection.onEvents((events) => void heard.push(...events.map(({ type }) => type).filter(ofItself)))
  cleanUps.push(() => connection.close())
  forget()
  await expect.poll(() => heard, polling).toEqual(['lost', 'restored'])
})
