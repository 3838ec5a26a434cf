import type { SpeechLanguage, TtsDriver } from '../drivers/tts/driver.ts'
import { withHeader } from '../audio/wav.ts'

/** A speech engine that hums, 10 ms per character. It counts its requests, and a test can make it fail or wait. */
export class HummingTts implements TtsDriver {
  readonly name = 'humming'
  readonly key: string
  readonly atOnce = 2
  said: string[] = []
  /** Called before each hum, and may throw or wait. */
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
