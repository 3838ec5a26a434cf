// @module-tag exhaustive
/** TLS on both sides of a dialer: ARI at an address that is not the loopback, and a trunk whose operator shows a certificate. */
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, expect, test } from 'vitest'
import { asteriskDriver } from '../server/src/drivers/telephony/asterisk/asterisk.ts'
import { openBench, operatorTrunk, ownDialer } from '../server/src/drivers/telephony/asterisk/testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'ghanti-tls-'))
/** This machine as others see it; one without a network stays on the loopback, at another address than ARI has without TLS. */
const outside =
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2'
const port = await freePort(outside)
const [ari, operator, stranger] = [certificate('ari'), certificate('operator'), certificate('stranger')]
/** The dialer's own, of which the operator knows the first. */
const shown = [certificate('known', 'shown'), certificate('unknown', 'shown')]
const own = await ownDialer({
  ARI_TLS_BIND: `${outside}:${port}`,
  ARI_TLS_CERT: ari.cert,
  ARI_TLS_KEY: ari.key,
  SIP_CA: operator.cert,
  SIP_CERT: operator.cert,
  SIP_KEY: operator.key,
  SIP_CERTS: join(folder, 'shown'),
  SIP_CLIENT_CA: shown[0]?.cert ?? '',
})
afterAll(async () => {
  await own.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Signed by itself, for the loopback. */
function certificate(name: string, below = '') {
  mkdirSync(join(folder, below), { recursive: true })
  const [key, cert] = [join(folder, below, `${name}.key`), join(folder, below, `${name}.crt`)]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-nodes']
  const to = ['-newkey', 'rsa:2048', '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', ...subject, ...to], { stdio: 'ignore' })
  return { key, cert, fingerprint: new X509Certificate(readFileSync(cert)).fingerprint256 }
}

async function freePort(host: string): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (!address || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

/** Asked more than once: on a busy machine a handshake may take longer than one OPTIONS waits. */
const expectAnswers = (suite: Awaited<ReturnType<typeof openBench>>) =>
  expect.poll(() => suite.connection.optionsPing('operator')).toMatchObject({ reachable: true })

const secure = { ...own.dialer, host: outside, port, certificate: ari.fingerprint }

test('a dialer across the network is called over TLS, and is nobody but who shows its certificate', async () => {
  const media = { folder: '/nowhere' }
  const another = asteriskDriver().connect({ ...secure, media, certificate: stranger.fingerprint })
  await expect(another).rejects.toThrow(/the dialer shows another certificate/)
  const plain = asteriskDriver().connect({ ...own.dialer, host: outside, media, certificate: null })
  await expect(plain).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL/) // without TLS it is on the loopback alone

  const suite = await openBench('ghanti', secure)
  try {
    const channelId = await suite.answeredCall('12')
    const [one] = suite.fixture.media
    expect(await suite.connection.play(channelId, `${channelId}-1`, [one])).toBe('done')
    expect(await suite.events.next('playbackEnded', channelId)).toMatchObject({ failed: false })
    await suite.events.next('digit', channelId)
    expect(await suite.connection.hangUp(channelId)).toBe('done')
    expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'hangUp' })
  } finally {
    await suite.connection.close()
    await suite.fixture.close()
  }
})

test('a trunk over TLS carries calls with sound and keys, encrypted ones, too; an operator whose certificate nobody vouches for is called by none', async () => {
  const suite = await openBench('ghanti', secure)
  const trunkTo = (host: string) => operatorTrunk('operator', { host, port: own.operator.port + 1, transport: 'tls' })
  try {
    await suite.connection.setTrunks([trunkTo('127.0.0.1')])
    await expectAnswers(suite)
    const channelId = await suite.answeredCall('12')
    await suite.events.next('digit', channelId)
    await suite.connection.hangUp(channelId)
    await suite.events.next('hungUp', channelId)

    const options = { ...plainSipOptions, srtp: true }
    await suite.connection.setTrunks([{ ...trunkTo('127.0.0.1'), user: 'srtpline', options }])
    const encrypted = await suite.answeredCall('13')
    await suite.events.next('digit', encrypted)
    await suite.connection.hangUp(encrypted)
    await suite.events.next('hungUp', encrypted)

    await suite.connection.setTrunks([trunkTo('localhost')]) // its certificate does not name that
    expect(await suite.connection.optionsPing('operator')).toMatchObject({ reachable: false })
    expect(await suite.connection.dial(suite.requestTo('99'))).toMatchObject({ outcome: 'trunkFault' })
  } finally {
    await suite.connection.close()
    await suite.fixture.close()
  }
})

test('an operator who asks for a certificate is called with the one that the trunk names, and refuses any other', async () => {
  const suite = await openBench('ghanti', secure)
  const trunkWith = (clientCertificate: string) => ({
    ...operatorTrunk('operator', { host: '127.0.0.1', port: own.operator.port + 2, transport: 'tls' }),
    options: { ...plainSipOptions, clientCertificate },
  })
  try {
    for (const other of ['', 'unknown']) {
      await suite.connection.setTrunks([trunkWith(other)])
      expect(await suite.connection.optionsPing('operator')).toMatchObject({ reachable: false })
      // With TLS 1.3 a connection stands until the operator has read the certificate: a call may still be sent, and ends then.
      const dialled = () => suite.connection.dial(suite.requestTo('99'))
      await expect.poll(dialled, { interval: 200 }).toMatchObject({ outcome: 'trunkFault' })
    }

    await suite.connection.setTrunks([trunkWith('known')])
    await expectAnswers(suite)
    const channelId = await suite.answeredCall('12')
    await suite.connection.hangUp(channelId)
    await suite.events.next('hungUp', channelId)

    await suite.connection.setTrunks([trunkWith('missing')])
    const [state] = await suite.connection.trunkStates()
    expect(state?.fault).toBe('the dialer has no client certificate missing (transport-tls-missing in its pjsip.conf)')
  } finally {
    await suite.connection.close()
    await suite.fixture.close()
  }
})
