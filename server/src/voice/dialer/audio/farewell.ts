import type { LostServer } from '@ghanti/contract/lost-server.ts'
import { languages, type Language } from '@ghanti/contract/templates.ts'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { messageOf } from '../../../lib/error-code.ts'
import { sayText } from '../../../modules/speech/actions.ts'
import type { Sound } from '../../model/calls/plan.ts'
import type { DialerAudio } from './dialer-audio.ts'
import type { SoundCache } from './sound-cache.ts'

const againMs = 30_000
/** Sounds that nobody asked for are forgotten after some days. */
const keepEveryMs = 6 * 3600_000
const nameOf: Record<Language, keyof LostServer & string> = { ne: 'nepali', en: 'english' }

/** What one dialer does with its calls when no engine is left: it has to know that while one is there. */
export class Farewell {
  readonly #of: Pick<DialerAudio, 'files' | 'speech' | 'log' | 'connection'>
  readonly #cache: SoundCache
  #wanted = ''
  #sounds: readonly Sound[] = []
  #isFinding = false
  /** Monotonic. */
  #findAt = -Infinity
  /** What the dialer was told last, and over which connection. */
  #told: { connection: DialerConnection; what: string } | null = null
  #isTelling = false

  constructor(of: Pick<DialerAudio, 'files' | 'speech' | 'log' | 'connection'>, cache: SoundCache) {
    this.#of = of
    this.#cache = cache
  }

  /** The setting as it was read just now. Calls do not wait for its sounds: until the dialer has them, it says nothing. */
  update(setting: LostServer): void {
    const { log, connection: connectionOf } = this.#of
    const cache = this.#cache
    const connection = connectionOf()
    if (!connection?.setFarewell) return
    this.#find(setting)
    const media = cache.of(this.#sounds) === 'ready' ? this.#sounds : []
    const what = JSON.stringify([setting.seconds, media.map(({ hash }) => hash), cache.generation])
    if (this.#isTelling || (this.#told?.connection === connection && this.#told.what === what)) return
    this.#isTelling = true
    connection
      .setFarewell({ waitMs: setting.seconds * 1000, media })
      .then(() => (this.#told = { connection, what }))
      .catch((error: unknown) => log.info({ error }, 'the dialer was not told what to do when no engine is left'))
      .finally(() => (this.#isTelling = false))
  }

  #find(setting: LostServer): void {
    const wanted = JSON.stringify(setting)
    if (this.#isFinding || (wanted === this.#wanted && performance.now() < this.#findAt)) return
    if (wanted !== this.#wanted) this.#sounds = []
    this.#wanted = wanted
    this.#isFinding = true
    this.#findAt = performance.now() + keepEveryMs
    this.#said(setting)
      .then((sounds) => (this.#sounds = sounds))
      .catch((error: unknown) => {
        this.#findAt = performance.now() + againMs
        this.#of.log.warn({ reason: messageOf(error) }, 'what callers hear when no engine is left cannot be said')
      })
      .finally(() => (this.#isFinding = false))
  }

  async #said(setting: LostServer): Promise<Sound[]> {
    const { speech, files } = this.#of
    const sounds: Sound[] = []
    for (const language of languages) {
      const text = String(setting[nameOf[language]])
      if (text === '') continue
      const said = await sayText(speech, language, text)
      if ('refused' in said) throw new Error(said.refused)
      const { hash, durationMs } = said
      sounds.push({ hash, durationMs, path: await files.pathOf(hash), of: text })
    }
    return sounds
  }
}
