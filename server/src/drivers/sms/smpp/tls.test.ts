import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../clock.ts'
import type { LocalSmsc } from '../../../demo/local-smsc.ts'
import { RecordedEvents, eventually } from '../testing-events.ts'
import { messageTo } from '../suite.ts'
import { smppGateways } from './smpp.ts'
import { settingsFor, testSmsc } from './testing.ts'

let smsc: LocalSmsc
let port: number
let fingerprint: string
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-smpp-tls-'))

beforeAll(async () => {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...subject, '-newkey', 'rsa:2048', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  fingerprint = new X509Certificate(fs.readFileSync(cert)).fingerprint256
  port = await freePort()
  smsc = await testSmsc({ tls: { port, cert, key } })
})
afterAll(async () => {
  await smsc.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address && typeof address === 'object' ? address.port : 0
}

test('messages and receipts pass over TLS to the configured certificate', async () => {
  const recorded = new RecordedEvents()
  const settings = settingsFor({ host: '127.0.0.1', port }, { tls: true, certificate: fingerprint })
  const gateway = smppGateways()(settings, recorded, systemClock)
  await eventually(() => gateway.state.bound)
  const submitted = await gateway.submit(messageTo('20', 'नमस्ते '.repeat(20)))
  expect(submitted).toMatchObject({ kind: 'accepted' })
  await eventually(() => recorded.receiptsStored.length === 2 || recorded.receiptsStored.length === 3)
  await gateway.close()
})

test.each([
  { why: 'another certificate than the one that was named', certificate: 'ab'.repeat(32), says: 'certificate' },
  { why: 'one that no known authority has signed', certificate: null, says: 'cannot be reached' },
])('to $why nothing is said', async ({ certificate, says }) => {
  const settings = settingsFor({ host: '127.0.0.1', port }, { tls: true, certificate })
  const gateway = smppGateways()(settings, new RecordedEvents(), systemClock)
  const reason = await eventually(() => gateway.state.lastError)
  expect(reason).toContain(says)
  expect(gateway.state.bound).toBe(false)
  await gateway.close()
})
