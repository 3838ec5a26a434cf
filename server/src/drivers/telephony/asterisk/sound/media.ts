import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { randomUUID } from 'node:crypto'
import { codeOf } from '../../../../lib/error-code.ts'
import { isOlder, removeOlder } from '../../../../lib/remove-older.ts'
import type { Media, MediaPlace } from '../../driver.ts'

const minuteMs = 60_000
/** How long a copy counts as present without another check. Each check touches the file. */
const reliedOnMs = 60 * minuteMs
/** Copies touched within this time stay, whoever touched them and by whichever clock. */
const idleMs = 24 * 60 * minuteMs
const batch = 1000

/** Where Asterisk finds sounds. Any number of engines may share a folder: the copies' modification times show which are in use. */
export class Sounds {
  readonly #place: MediaPlace
  /** Monotonic ms. */
  readonly #now: () => number
  readonly #copies = new Map<string, { copying: Promise<void>; until: number }>()

  constructor(place: MediaPlace, now = () => performance.now()) {
    this.#place = place
    this.#now = now
  }

  /** The sound's name for ARI. In a shared folder its file exists afterwards. Rejects when it cannot be brought there. */
  async uriOf(media: Media): Promise<string> {
    if (!/^[A-Za-z0-9]+$/.test(media.hash)) throw new Error(`not a hash: ${media.hash}`)
    if ('addressOf' in this.#place) return `sound:${this.#place.addressOf(media.hash)}`
    const { folder } = this.#place
    const known = this.#copies.get(media.hash)
    if (known && this.#now() < known.until) await known.copying
    else await this.#bring(media, path.join(folder, `${media.hash}.wav`))
    return `sound:${path.join(folder, media.hash)}`
  }

  urisOf(media: readonly Media[]): Promise<string[]> {
    return Promise.all(media.map((one) => this.uriOf(one)))
  }

  /** Like `uriOf`, but checks again even what is known to be there. */
  bring(media: Media): Promise<string> {
    this.forget(media.hash)
    return this.uriOf(media)
  }

  /** A file that is complete in the folder is complete for the dialer, provided it sees the folder. */
  get areShared(): boolean {
    return 'folder' in this.#place
  }

  /** For a sound that could not be played: the next use checks whether it is there. */
  forget(hash: string): void {
    this.#copies.delete(hash)
  }

  /** Returns the removed copies. Also removes unfinished ones. */
  async tidy(unusedOf: (hashes: readonly string[]) => Promise<readonly string[]>): Promise<string[]> {
    if ('addressOf' in this.#place) return []
    const { folder } = this.#place
    for (const [hash, { until }] of this.#copies) if (until < this.#now()) this.#copies.delete(hash)
    const before = new Date(Date.now() - idleMs)
    const { idle, unfinished } = await idleIn(folder, before)
    for (const name of unfinished) await fs.rm(path.join(folder, name), { force: true })
    const removed: string[] = []
    while (idle.length > 0)
      for (const hash of await unusedOf(idle.splice(0, batch))) {
        const target = path.join(folder, `${hash}.wav`)
        if (await removeOlder(target, `${target}.${randomUUID()}`, before)) removed.push(hash)
      }
    return removed
  }

  #bring(media: Media, target: string): Promise<void> {
    const one = { copying: publish(media.path, target), until: this.#now() + reliedOnMs }
    this.#copies.set(media.hash, one)
    one.copying.catch(() => {
      if (this.#copies.get(media.hash) === one) this.#copies.delete(media.hash)
    })
    return one.copying
  }
}

/** The file appears complete, by a rename, and readable for Asterisk's own user. */
async function publish(source: string, target: string): Promise<void> {
  if ((await touch(target)) && (await isWhole(target))) return
  await fs.mkdir(path.dirname(target), { recursive: true })
  const temporary = `${target}.${randomUUID()}`
  try {
    await fs.copyFile(source, temporary)
    if (!(await isWhole(temporary))) throw new Error('its file is damaged')
    await fs.chmod(temporary, 0o644)
    await fs.rename(temporary, target)
  } finally {
    await fs.rm(temporary, { force: true })
  }
}

/** False when it does not exist. A copy made by another user of the system may exist but refuse to be touched. */
async function touch(target: string): Promise<boolean> {
  const now = new Date()
  try {
    await fs.utimes(target, now, now)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    return fs.access(target).then(
      () => true,
      () => false,
    )
  }
}

/** Copies untouched since `before`, by hash, and the names of older unfinished ones. */
async function idleIn(folder: string, before: Date): Promise<{ idle: string[]; unfinished: string[] }> {
  const [idle, unfinished]: [string[], string[]] = [[], []]
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const [, hash, rest] = /^([0-9a-f]{64})\.wav(\.[0-9a-f-]{36})?$/.exec(name) ?? []
    if (hash === undefined) continue // not a copy of ours
    if (!(await isOlder(path.join(folder, name), before))) continue
    if (rest === undefined) idle.push(hash)
    else unfinished.push(name)
  }
  return { idle, unfinished }
}

const headBytes = 12

/** Whether the file exists and is as long as its RIFF header says, so was not cut by a full disk or a power failure. */
async function isWhole(file: string): Promise<boolean> {
  const handle = await fs.open(file, 'r').catch(() => null)
  if (!handle) return false
  try {
    const { buffer: head } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const isWav = head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WAVE'
    return isWav && head.readUInt32LE(4) + 8 === (await handle.stat()).size
  } finally {
    await handle.close()
  }
}
