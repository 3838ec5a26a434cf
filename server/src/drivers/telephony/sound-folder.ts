import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Media } from './driver.ts'
import { toneWav } from './simulator/tone.ts'

export class SoundFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'ghanti-sounds-'))
  readonly shared = join(this.path, 'shared')

  async tone(durationMs: number): Promise<Media> {
    const temporary = join(this.path, 'new.wav')
    await writeFile(temporary, toneWav(durationMs))
    const hash = createHash('sha256').update(readFileSync(temporary)).digest('hex')
    const path = join(this.path, hash)
    renameSync(temporary, path)
    return { hash, path, durationMs }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
