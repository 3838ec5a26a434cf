// @module-tag exhaustive
// It is about what the tests over real SIP hear with, which end-to-end.test.ts uses.
/** What the tests over real SIP rely on: a sentence of which packets were lost is heard, and no other is taken for it. */
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { readWav } from '@ghanti/callflow/sound/wav.ts'
import { expect, test } from 'vitest'
import { withHeader } from '../server/src/audio/wav.ts'
import { espeakTts } from '../server/src/drivers/tts/espeak.ts'
import { atEndOfFile } from '../server/src/testing/cleanup.ts'
import { heardInOrder } from './heard.ts'

const tts = espeakTts()
atEndOfFile(() => tts.close())
const say = async (text: string): Promise<Uint8Array> => (await tts.synthesise(text, 'en')).wav
const notice = await say('This conversation will be recorded from now on')
const goodbye = await say('Your service is due in November')
const similar = await say('The conversation with Ram Bahadur is over')

const packet = telephoneRate / 50
/** A second of silence, then what arrives of the sound: one packet in `many` is lost. */
function arrived(sound: Uint8Array, many: number): number[] {
  const samples = [...readWav(sound, 60).samples]
  const kept = samples.filter((_, at) => Math.floor(at / packet) % many !== Math.floor(many / 2))
  return [...Array.from({ length: telephoneRate }, () => 0), ...kept]
}
const recorded = (...parts: number[][]): Uint8Array =>
  withHeader(Int16Array.from(parts.flat(), (sample) => Math.round(sample * 0x7fff)))

test('sentences are heard in their order when one packet in six is lost', () => {
  const both = recorded(arrived(notice, 6), arrived(goodbye, 6))
  expect(heardInOrder(both, [notice, goodbye])).toEqual([true, true])
  expect(heardInOrder(both, [goodbye, notice])).toEqual([true, false])
})

test('another sentence in the same voice, with a word in common, is not taken for it, lost packets or not', () => {
  for (const many of [Infinity, 6]) expect(heardInOrder(recorded(arrived(similar, many)), [notice])).toEqual([false])
})
