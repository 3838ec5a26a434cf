/** Both telephone networks of the tests, Asterisk's and SIPp's, do by the called number's last two digits what telephony/README.md says. */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, beforeAll, describe, inject, test, type ExpectStatic } from 'vitest'
import { Ari, type AriEvent } from './ari.ts'
import { startSipp } from './sipp/sipp.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-operator-'))
const { dialer, operator } = inject('asterisk')
const ari = new Ari(dialer, 'operator-test')
const sipp = await startSipp(folder)
beforeAll(async () => {
  await ari.connect()
  await ari.setTrunk('asterisk-operator', operator.host, operator.port)
  await ari.setTrunk('sipp-operator', sipp.operator.host, sipp.operator.port)
  await ari.setTrunk('sipp-agents', sipp.agents.host, sipp.agents.port)
})
afterAll(async () => {
  ari.close()
  await sipp.stop()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Q.850 and SIP, or what is heard after the answer. */
type Expected =
  | { cause: number; sip: number; ringSeconds?: number }
  | { keys: string }
  | { hangsUp: true }
  | { speaks: true }
const numbers: { suffix: string; what: string; expected: Expected }[] = [
  { suffix: '01', what: 'busy', expected: { cause: 17, sip: 486 } },
  { suffix: '02', what: 'rings, never answers', expected: { cause: 19, sip: 480, ringSeconds: 5 } },
  { suffix: '03', what: 'declined', expected: { cause: 21, sip: 603 } },
  { suffix: '04', what: 'no such number', expected: { cause: 1, sip: 404 } },
  { suffix: '05', what: 'switched off', expected: { cause: 19, sip: 480 } },
  { suffix: '06', what: 'congestion', expected: { cause: 34, sip: 503 } },
  { suffix: '07', what: 'rings 8 s, answers', expected: { keys: '' } },
  { suffix: '08', what: '183 with tones, then busy', expected: { cause: 17, sip: 486 } },
  { suffix: '09', what: 'hangs up after 2 s', expected: { hangsUp: true } },
  { suffix: '15', what: 'key 5', expected: { keys: '5' } },
  { suffix: '24', what: 'keys 9 and 4', expected: { keys: '94' } },
  { suffix: '30', what: 'key *', expected: { keys: '*' } },
  { suffix: '31', what: 'key #', expected: { keys: '#' } },
  { suffix: '32', what: 'keys 1, 2, 3', expected: { keys: '123' } },
  { suffix: '33', what: 'speaks', expected: { speaks: true } },
  { suffix: '35', what: '183 with tones, then answers', expected: { keys: '' } },
  { suffix: '38', what: 'codec refused', expected: { cause: 58, sip: 488 } },
  { suffix: '39', what: 'server error', expected: { cause: 38, sip: 500 } },
  { suffix: '40', what: 'forbidden', expected: { cause: 21, sip: 403 } },
  { suffix: '42', what: 'request time-out', expected: { cause: 18, sip: 408 } },
  { suffix: '43', what: 'number incomplete', expected: { cause: 28, sip: 484 } },
  { suffix: '45', what: 'no ringing, no answer', expected: { cause: 19, sip: 480, ringSeconds: 5 } },
  { suffix: '46', what: 'answers at once', expected: { keys: '' } },
  { suffix: '47', what: 'answers and hangs up at once', expected: { hangsUp: true } },
  { suffix: '48', what: 'hangs up after 5 s', expected: { hangsUp: true } },
  { suffix: '49', what: 'rings, then congestion', expected: { cause: 34, sip: 503 } },
  { suffix: '99', what: 'answers', expected: { keys: '' } },
]

let called = 0
type Watched = { channelId: string; answered: Promise<AriEvent>; ended: Promise<AriEvent>; keys: () => string }

async function call(trunk: string, suffix: string, ringSeconds: number): Promise<Watched> {
  // No name may be the beginning of a living one's: Asterisk refuses '-1' with 409 while '-10' lives.
  const channelId = `operator-test-${called++}-c`
  const pressed: string[] = []
  ari.on('event', (event) => {
    if (event.type === 'ChannelDtmfReceived' && event.channel?.id === channelId) pressed.push(event.digit ?? '')
  })
  const wait = (type: string): Promise<AriEvent> => {
    const found = ari.wait(
      (event) => event.type === type && event.channel?.id === channelId,
      `${type} of ..${suffix}`,
      40_000,
    )
    found.catch(() => {}) // only what a test awaits counts
    return found
  }
  const watched = {
    channelId,
    answered: wait('StasisStart'),
    ended: wait('ChannelDestroyed'),
    keys: () => pressed.join(''),
  }
  const endpoint = `PJSIP/+97798410001${suffix}@${trunk}`
  await ari.request('POST', '/channels', { endpoint, app: ari.app, channelId, timeout: `${ringSeconds}` })
  return watched
}

/** Over a second and a half, in 16-bit samples. */
async function loudness(channelId: string): Promise<number> {
  const done = ari.wait(
    ({ type, recording }) => type === 'RecordingFinished' && recording?.name === channelId,
    'recording',
    10_000,
  )
  await ari.request('POST', `/channels/${channelId}/record`, {
    name: channelId,
    format: 'wav',
    maxDurationSeconds: '2',
  })
  await done
  const wav = Buffer.from(await (await ari.request('GET', `/recordings/stored/${channelId}/file`)).arrayBuffer())
  let sum = 0
  for (let at = 44; at + 1 < wav.length; at += 2) sum += wav.readInt16LE(at) ** 2
  return Math.sqrt(sum / ((wav.length - 44) / 2))
}

async function expectCall(expect: ExpectStatic, trunk: string, suffix: string, expected: Expected): Promise<void> {
  const { channelId, answered, ended, keys } = await call(
    trunk,
    suffix,
    'sip' in expected ? (expected.ringSeconds ?? 30) : 30,
  )
  if ('sip' in expected)
    return void expect(await ended).toMatchObject({ cause: expected.cause, tech_cause: expected.sip })
  await answered
  if ('keys' in expected) await expect.poll(keys, { timeout: 10_000 }).toBe(expected.keys)
  if ('speaks' in expected) expect(await loudness(channelId)).toBeGreaterThan(300)
  if (!('hangsUp' in expected)) await ari.request('DELETE', `/channels/${channelId}`)
  expect(await ended).toMatchObject({ cause: 16 })
}

describe.for(['asterisk-operator', 'sipp-operator'])('%s', { concurrent: true }, (trunk) => {
  test.for(numbers)('..$suffix: $what', { timeout: 60_000 }, ({ suffix, expected }, { expect }) =>
    expectCall(expect, trunk, suffix, expected),
  )
})

test('a call is dialled while another lives whose number begins as its own: Asterisk compares the beginnings of names', async () => {
  const dialled = ['10', '1', '100'].map((id) => `operator-test-prefix-${id}-c`)
  for (const channelId of dialled)
    await ari.request('POST', '/channels', {
      endpoint: 'PJSIP/+9779841000199@asterisk-operator',
      app: ari.app,
      channelId,
      timeout: '30',
    })
  for (const channelId of dialled) await ari.request('DELETE', `/channels/${channelId}`)
})

test('SIPp’s agents speak, or are busy, and SIPp counts every INVITE', { timeout: 60_000 }, async ({ expect }) => {
  await expectCall(expect, 'sipp-agents', '55', { speaks: true })
  await expectCall(expect, 'sipp-agents', '01', { cause: 17, sip: 486 })
  await expect.poll(() => sipp.agents.invites(), { timeout: 5000 }).toBe(2)
  await expect.poll(() => sipp.operator.invites(), { timeout: 5000 }).toBe(numbers.length)
})
