import type { SpeechLanguage, TtsDriver } from '../drivers/tts/driver.ts'
import { withHeader } from '../audio/wav.ts'

/** An engine that makes a hum of each text, 10 ms a character; it counts what it is asked, and does otherwise where a test says so. */
export class HummingTts implements TtsDriver {
  readonly name = 'humming'
  readonly key: string
  readonly atOnce = 2
  said: string[] = []
  /** Instead of its hum: throw, or wait. */
  before: (text: string, language: SpeechLanguage) => Promise<void> | void = () => {}
  durationOf = (text: string): number => text.length * 10
  #serial = 0

  constructor(key = 'humming') {
    this.key = key
  }

  async synthesise(text: string, language: SpeechLanguage) {
    this.said.push(text)
    await this.before(text, language)
    const serial = ++this.#serial
    const samples = Int16Array.from({ length: 800 }, (_, n) =>
      n < 2 ? serial >> (n * 15) : text.charCodeAt(n % text.length),
    )
    return { wav: withHeader(samples), durationMs: this.durationOf(text) }
  }

  async close(): Promise<void> {}
}
