/** Texts arrive letter for letter at the Net::SMPP peer, which reads and reassembles them; and the other way round. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { segmentsOf } from '@ghanti/contract/sms-text.ts'
import { systemClock } from '../../../clock.ts'
import type { LocalSmsc } from '../../../demo/local-smsc.ts'
import { RecordedEvents, eventually } from '../testing-events.ts'
import type { SmppSettings, SmsGateway } from '../driver.ts'
import { messageTo } from '../suite.ts'
import { smppGateways } from './smpp.ts'
import { settingsFor, testSmsc } from './testing.ts'

const nepali = 'नमस्ते, तपाईंको खातामा रु. १,२३४.५० जम्मा भयो। क्षत्रिय, ज्ञान, श्रीमती, स्त्री 🙏🏽👨‍👩‍👧 धन्यवाद! '
const extension = '^{}[]~|€\\'
const accents = '@£$¥èéùìòÇØøÅåÆæßÉ¤¡ÄÖÑÜ§¿äöñüà'
const greek = 'ΔΦΓΛΩΠΨΣΘΞ'

const texts: [what: string, text: string][] = [
  ['Nepali', nepali],
  ['long Nepali', nepali.repeat(4)],
  ['emoji alone', '😀'.repeat(36)],
  ['one emoji over the edge', 'क'.repeat(66) + '😀😀'.repeat(2)],
  ['characters of the extension', extension],
  ['many of them', extension.repeat(30)],
  ['one that would be cut at the end of a segment', 'a'.repeat(152) + '€' + 'b'.repeat(20)],
  ['every basic letter', accents + greek + 'The quick brown fox, 0123456789 _&%"\'()*+-./:;<=>?!#\n\r.'],
  ['seven septets over', 'a'.repeat(7)],
  ['eight', 'abcdefg@'],
  ['fifteen, the last an @', 'a'.repeat(14) + '@'],
  ['the longest single one', 'a'.repeat(160)],
  ['the shortest of two', 'a'.repeat(161)],
  ['ten segments', 'Ghanti rings. '.repeat(109)],
]

const ways: Partial<SmppSettings>[] = [
  { alphabet: 'gsm7', longMessages: 'udh' },
  { alphabet: 'gsm7', longMessages: 'sar' },
  { alphabet: 'gsm7', longMessages: 'payload' },
  { alphabet: 'gsm7packed', longMessages: 'udh' },
  { alphabet: 'gsm7packed', longMessages: 'sar' },
  { alphabet: 'gsm7packed', longMessages: 'payload' },
  { alphabet: 'latin1', longMessages: 'udh' },
  { alphabet: 'latin1', longMessages: 'sar' },
  { alphabet: 'latin1', longMessages: 'payload' },
]

describe.each(ways)('as $alphabet by $longMessages', (way) => {
  let smsc: LocalSmsc
  let gateway: SmsGateway
  const recorded = new RecordedEvents()
  beforeAll(async () => {
    smsc = await testSmsc({ options: ['--alphabet', way.alphabet ?? 'gsm7', '--receipt', '20'] })
    gateway = smppGateways()(settingsFor(smsc, way), recorded, systemClock)
    await eventually(() => gateway.state.bound)
  })
  afterAll(async () => {
    await gateway.close()
    await smsc.stop()
  })

  test.each(texts)('%s', async (_what, text) => {
    const message = messageTo('20', text)
    const submitted = await gateway.submit(message)
    if (way.alphabet === 'latin1' && text.length > 70 && /[€Δ]/.test(text))
      return expect(submitted).toMatchObject({
        kind: 'refused',
        whose: 'message',
        reason: expect.stringMatching(/lacks [€Δ]/),
      })
    expect(submitted).toMatchObject({ kind: 'accepted' })
    const whole = way.longMessages === 'payload' ? 1 : segmentsOf(text)
    expect(submitted.kind === 'accepted' && submitted.ids).toHaveLength(whole)
    const heard = await eventually(() => smsc.log().messages.find(({ to }) => to === message.to))
    expect(heard.text).toBe(text)
  })
})

test('a long reply in Nepali with emoji arrives letter for letter', async () => {
  const smsc = await testSmsc({ options: ['--receipt', '20'] })
  const recorded = new RecordedEvents()
  const gateway = smppGateways()(settingsFor(smsc), recorded, systemClock)
  await eventually(() => gateway.state.bound)
  const message = messageTo('18', nepali.repeat(3))
  await gateway.submit(message)
  const reply = await eventually(() => recorded.incomingStored.find(({ from }) => from === message.to))
  expect(reply).toMatchObject({ text: message.text, part: null })
  await gateway.close()
  await smsc.stop()
})
