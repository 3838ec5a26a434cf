// @module-tag exhaustive
// Calls, keys and ends over a trunk of its defaults are in suite.test.ts and trunks.test.ts.
/** What the form's presets of a trunk send when what only the operator knows is filled in, and that calls pass over them. */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { trunkPresetNames, trunkPresets, type TrunkPresetName } from '@ghanti/contract/trunk-presets.ts'
import type { SipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Trunk } from '../server/src/drivers/telephony/driver.ts'
import { openBench, operatorTrunk } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startWitness, type Witness } from './sipp/witness.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-presets-'))
const suite = await openBench('presets')
let operator: Witness
beforeAll(async () => {
  operator = await startWitness(folder)
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await Promise.all([suite.fixture.close(), operator.end()])
  fs.rmSync(folder, { recursive: true, force: true })
})

const cli = '015970001'
const ims = 'ims.example.np'

function trunkOf(name: TrunkPresetName, place: Partial<Trunk>, options: Partial<SipOptions> = {}): Trunk {
  const { codecs, ...preset } = trunkPresets[name]
  return operatorTrunk(name, { ...preset, codecs: [...codecs], ...place, options: { ...preset.options, ...options } })
}
const stateOf = async (name: string) => (await suite.connection.trunkStates()).find((trunk) => trunk.name === name)
const requests = (method: string, of: string) =>
  operator.messages().filter((one) => one.startsWith(`${method} `) && one.includes(of))
const header = (message: string, name: string): string | null =>
  new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(message)?.[1] ?? null

type Asked = { place: Partial<Trunk>; options?: Partial<SipOptions>; shows: Record<string, RegExp | null> }
const asked = (): Record<TrunkPresetName, Asked> => {
  const { host, port } = operator
  const address = host.replaceAll('.', '\\.')
  return {
    ntc: {
      place: { host: ims, port: 5060, user: '015970010', secret: 'secret' },
      options: { outboundProxy: `${host}:${port}`, fromDomain: ims, authUser: `015970010@${ims}` },
      shows: {
        INVITE: /^sip:\+97798\d{8}@ims\.example\.np(:5060)?;user=phone SIP/,
        Route: new RegExp(`^<sip:${address}:${port};lr>$`),
        From: /^<sip:\+97715970001@ims\.example\.np;user=phone>/,
        'P-Preferred-Identity': /^<sip:\+97715970001@ims\.example\.np;user=phone>$/,
        'P-Asserted-Identity': null,
        'Session-Expires': /^600/,
        body: /^m=audio \d+ RTP\/AVP 8 101\r?$/m,
      },
    },
    ncell: {
      place: { host, port },
      shows: {
        INVITE: /^sip:97798\d{8}@[\d.:]+ SIP/,
        From: /^<sip:97715970001@/,
        'P-Asserted-Identity': /<sip:97715970001@/,
        'P-Preferred-Identity': null,
        'Session-Expires': /^90/,
        body: /^m=audio \d+ RTP\/AVP 8 101\r?$/m,
      },
    },
    sbc: {
      place: { host, port },
      shows: {
        INVITE: /^sip:97798\d{8}@[\d.:]+ SIP/,
        From: /^<sip:015970001@/,
        'P-Asserted-Identity': null,
        body: /^m=audio \d+ RTP\/AVP 8 0 101\r?$/m,
      },
    },
    asterisk: {
      place: { host, port, user: 'ghanti' },
      shows: {
        From: /^<sip:015970001@/,
        'P-Asserted-Identity': null,
        body: /^m=audio \d+ RTP\/AVP 8 0 9 101\r?$/m,
      },
    },
  }
}

test.each(trunkPresetNames)(
  'an INVITE over a trunk that begins with the preset %s is as such an operator asks for it',
  async (name) => {
    const { place, options, shows } = asked()[name]
    await suite.connection.setTrunks([trunkOf(name, place, options)])
    const number = `+97798430${String(trunkPresetNames.indexOf(name)).padStart(3, '0')}01`
    const channelId = await suite.call('01', { trunk: name, number, cli })
    expect(await suite.events.next('hungUp', channelId)).toMatchObject({ sipStatus: 486 })
    const invite = requests('INVITE', number.slice(1))[0] ?? ''
    for (const [field, pattern] of Object.entries(shows)) {
      const shown =
        field === 'INVITE'
          ? /^INVITE (.*?)\r?$/m.exec(invite)?.[1]
          : field === 'body'
            ? invite.split(/\r?\n\r?\n/)[1]
            : header(invite, field)
      if (pattern) expect(shown, `${field} of ${invite}`).toMatch(pattern)
      else expect(shown, `${field} of ${invite}`).toBeNull()
    }
    if (name !== 'ntc') return
    await expect.poll(async () => (await stateOf(name))?.registered, polling).toBe('registered')
    expect(header(requests('REGISTER', ims)[0] ?? '', 'To')).toMatch(/^<sip:015970010@ims\.example\.np>/)
  },
)

test.each([
  { name: 'ntc', place: { user: 'line1', secret: 'line1-secret' } },
  { name: 'ncell', place: {} },
  { name: 'sbc', place: { user: 'line1', secret: 'line1-secret' } },
  { name: 'asterisk', place: { user: 'line1', secret: 'line1-secret' } },
] as const)(
  'over a trunk that begins with the preset $name calls are answered, keys heard and ends seen, by a second Asterisk',
  async ({ name, place }) => {
    await suite.connection.setTrunks([trunkOf(name, place)])
    if (trunkPresets[name].registers)
      await expect.poll(async () => (await stateOf(name))?.registered, polling).toBe('registered')
    const channelId = await suite.answeredCall('12', { trunk: name, cli })
    expect(await suite.events.next('digit', channelId)).toMatchObject({ digit: '2' })
    await suite.connection.hangUp(channelId)
    expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'hangUp' })
    await expect.poll(async () => await stateOf(name), polling).toMatchObject({ reachable: true, fault: null })
  },
)
