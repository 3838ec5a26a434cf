import { constants } from 'node:fs'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { randomUUID } from 'node:crypto'
import type { Media, MediaPlace } from '../driver.ts'

/** Where Asterisk finds the sounds. */
export class Sounds {
  readonly #place: MediaPlace
  readonly #there = new Map<string, Promise<void>>()

  constructor(place: MediaPlace) {
    this.#place = place
  }

  /** As ARI names it. In a folder its file is there afterwards. Rejects when it cannot be brought there. */
  async uriOf(media: Media): Promise<string> {
    if (!/^[A-Za-z0-9]+$/.test(media.hash)) throw new Error(`not a hash: ${media.hash}`)
    if ('addressOf' in this.#place) return `sound:${this.#place.addressOf(media.hash)}`
    const { folder } = this.#place
    let publishing = this.#there.get(media.hash)
    if (!publishing) {
      publishing = publish(media.path, path.join(folder, `${media.hash}.wav`))
      this.#there.set(media.hash, publishing)
      publishing.catch(() => this.#there.delete(media.hash))
    }
    await publishing
    return `sound:${path.join(folder, media.hash)}`
  }

  /** It could not be played: see next time whether it is there. */
  forget(hash: string): void {
    this.#there.delete(hash)
  }
}

/** Appears whole, by a rename, and readable for Asterisk's own user. */
async function publish(source: string, target: string): Promise<void> {
  const isThere = await fs.access(target, constants.F_OK).then(
    () => true,
    () => false,
  )
  if (isThere) return
  await fs.mkdir(path.dirname(target), { recursive: true })
  const temporary = `${target}.${randomUUID()}`
  try {
    await fs.copyFile(source, temporary)
    await fs.chmod(temporary, 0o644)
    await fs.rename(temporary, target)
  } finally {
    await fs.rm(temporary, { force: true })
  }
}
