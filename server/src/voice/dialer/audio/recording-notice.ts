import type { Language } from '@ghanti/contract/templates.ts'
import type { FilesDriver } from '../../../drivers/files/driver.ts'
import type { Media } from '../../../drivers/telephony/driver.ts'
import type { Sound } from '../../model/calls/plan.ts'
import type { NoticeSound } from './recordings.sql.ts'
import type { SoundCache } from './sound-cache.ts'

/** What both sides hear before their conversation is recorded, on one dialer. Until the setting was read, nobody is recorded without it. */
export class RecordingNotice {
  readonly #files: FilesDriver
  readonly #cache: SoundCache
  #sounds: ReadonlyMap<Language, Sound> | null = null
  #isOn = true

  constructor(files: FilesDriver, cache: SoundCache) {
    this.#files = files
    this.#cache = cache
  }

  /** The setting as it was read just now. Its sounds are brought to the dialer, and campaigns do not wait for them. */
  async update(notice: readonly NoticeSound[]): Promise<void> {
    this.#isOn = notice.length > 0
    const before = this.#sounds
    const isSame = before?.size === notice.length && notice.every((one) => before.get(one.language)?.hash === one.hash)
    if (!isSame) this.#sounds = await this.#found(notice)
    if (this.#sounds?.size) this.#cache.of(this.#sounds.values())
  }

  /** Null: nothing is to be heard; 'missing': the dialer cannot play it now. */
  of(language: Language): Media | 'missing' | null {
    if (!this.#isOn) return null
    const sound = this.#sounds?.get(language)
    return sound && this.#cache.has(sound.hash) ? sound : 'missing'
  }

  /** It was not heard: it must be proven again. */
  recheck(): void {
    this.#cache.recheck(this.#sounds?.values() ?? [])
  }

  async #found(notice: readonly NoticeSound[]): Promise<Map<Language, Sound>> {
    const sounds = new Map<Language, Sound>()
    for (const { language, hash, durationMs } of notice) {
      const path = await this.#files.pathOf(hash).catch(() => null)
      if (path !== null) sounds.set(language, { hash, path, durationMs, of: `notice before recordings (${language})` })
    }
    return sounds
  }
}
