// @module-tag exhaustive
/** Calls over TLS through the edge: dialer to edge and edge to operator, each showing its certificate to the other. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import * as os from 'node:os'
import * as path from 'node:path'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBench, operatorTrunk, ownDialer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { Suite } from '../server/src/drivers/telephony/suite-bench.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startEdge } from './edge/edge.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-edge-tls-'))
const [address, stranger] = ['127.0.0.9', '127.0.0.10']
const certificates = {
  edge: certificate('edge', address),
  stranger: certificate('stranger', stranger),
  operator: certificate('operator', '127.0.0.1'),
}
const own = await ownDialer({
  SIP_CA: bundle('edges', certificates.edge.cert, certificates.stranger.cert),
  SIP_CERT: certificates.operator.cert,
  SIP_KEY: certificates.operator.key,
  SIP_CLIENT_CA: certificates.edge.cert,
})
let suite: Suite
let edge: Awaited<ReturnType<typeof startTlsEdge>>
beforeAll(async () => {
  edge = await startTlsEdge(address, certificates.edge, certificates.operator.cert)
  suite = await openBench('edge', own.dialer)
})
afterAll(async () => {
  await suite.connection.close()
  await Promise.all([suite.fixture.close(), edge.end(), own.remove()])
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Signed by itself. */
function certificate(name: string, ip: string): { key: string; cert: string } {
  const [key, cert] = [path.join(folder, `${name}.key`), path.join(folder, `${name}.crt`)]
  const subject = ['-subj', `/CN=${ip}`, '-addext', `subjectAltName=IP:${ip}`, '-days', '2', '-nodes']
  execFileSync('openssl', ['req', '-x509', ...subject, '-newkey', 'rsa:2048', '-keyout', key, '-out', cert], {
    stdio: 'ignore',
  })
  return { key, cert }
}

function bundle(name: string, ...certs: string[]): string {
  const file = path.join(folder, `${name}.crt`)
  fs.writeFileSync(file, certs.map((one) => fs.readFileSync(one, 'utf8')).join(''))
  return file
}

async function startTlsEdge(
  at: string,
  { cert, key }: { cert: string; key: string },
  authorities: string,
  known?: { port: number; tlsPort: number },
) {
  const tlsPort = known?.tlsPort ?? (await freePort(at))
  const tls = { EDGE_TLS_CERT: cert, EDGE_TLS_KEY: key, EDGE_TLS_CA: authorities, EDGE_TLS_PORT: `${tlsPort}` }
  const settings = { EDGE_DIALERS: '127.0.0.1', EDGE_KEY: 'a-key-of-tests', ...tls }
  return { ...(await startEdge(folder, at, settings, known?.port)), tlsPort, tlsPlace: `${at}:${tlsPort}` }
}

async function freePort(at: string): Promise<number> {
  const server = createServer().listen(0, at)
  await once(server, 'listening')
  const found = server.address()
  server.close()
  await once(server, 'close')
  if (!found || typeof found === 'string') throw new Error('no port is free')
  return found.port
}

/** To the operator's port that asks for a certificate. */
async function useTrunk(name: string, proxy: string): Promise<void> {
  const to = { host: '127.0.0.1', port: own.operator.port + 2, transport: 'tls' as const }
  const options = { ...plainSipOptions, outboundProxy: proxy }
  await suite.connection.setTrunks([operatorTrunk(name, { ...to, options })])
}

test('calls are answered, keys are heard and either side hangs up over TLS through the edge, which shows its certificate to the operator', async () => {
  await useTrunk('secure', edge.tlsPlace)
  await expect.poll(() => suite.connection.optionsPing('secure'), polling).toMatchObject({ reachable: true })
  const keyed = await suite.answeredCall('15', { trunk: 'secure' })
  expect(await suite.events.next('digit', keyed)).toMatchObject({ digit: '5' })
  expect(await suite.connection.hangUp(keyed)).toBe('done')
  expect(await suite.events.next('hungUp', keyed)).toMatchObject({ endedBy: 'hangUp' })
  const leaves = await suite.answeredCall('47', { trunk: 'secure' })
  expect(await suite.events.next('hungUp', leaves)).toMatchObject({ endedBy: 'callee' })
  const refused = await suite.call('01', { trunk: 'secure' })
  expect(await suite.events.next('hungUp', refused)).toMatchObject({ sipStatus: 486 })
})

test('a call outlives the edge that began it: once the dialer has connected to the next one, the operator’s end reaches it', async () => {
  await useTrunk('outlives', edge.tlsPlace)
  await expect.poll(() => suite.connection.optionsPing('outlives'), polling).toMatchObject({ reachable: true })
  const channelId = await suite.answeredCall('37', { trunk: 'outlives', talkMsMax: 60_000 }) // hangs up after 10 s
  await edge.end()
  edge = await startTlsEdge(address, certificates.edge, certificates.operator.cert, edge)
  await expect.poll(() => suite.connection.optionsPing('outlives'), polling).toMatchObject({ reachable: true })
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'callee' })
})

test('an operator whose certificate the edge does not know is called by none: a fault of the trunk', async () => {
  const careful = await startTlsEdge(stranger, certificates.stranger, certificates.stranger.cert)
  try {
    await useTrunk('unknown', careful.tlsPlace)
    expect(await suite.connection.optionsPing('unknown')).toMatchObject({ reachable: false })
    await useTrunk('unasked', careful.tlsPlace)
    const channelId = await suite.call('46', { trunk: 'unasked' })
    const end = await suite.events.next('hungUp', channelId)
    expect(end).toMatchObject({ endedBy: 'network', alerted: false, answeredAt: null })
    expect(end.sipStatus).toBeGreaterThanOrEqual(500)
  } finally {
    await careful.end()
  }
})

test('an edge whose files for TLS are missing says so and does not start', async () => {
  const wrong = startTlsEdge('127.0.0.11', { cert: '/nowhere/edge.crt', key: '/nowhere/edge.key' }, '/nowhere/ca.crt')
  await expect(wrong).rejects.toThrow("EDGE_TLS_CERT is '/nowhere/edge.crt': a file that can be read is needed")
})
