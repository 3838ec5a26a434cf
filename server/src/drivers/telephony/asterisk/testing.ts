import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { DialerAddress, Media, Trunk } from '../driver.ts'
import { toneWav } from '../simulator/tone.ts'

/** The telephony project's dialer, with a folder of its own for sounds. */
export function asteriskDialer(folder: string): DialerAddress {
  const { dialer } = inject('asterisk')
  return { ...dialer, certificate: null, media: { folder } }
}

/** Leads to the virtual operator. */
export function operatorTrunk(name: string, other: Partial<Trunk> = {}): Trunk {
  return {
    name,
    ...inject('asterisk').operator,
    transport: 'udp',
    user: '',
    secret: '',
    codecs: ['alaw', 'ulaw'],
    registers: false,
    cliFormat: 'national',
    numberStrip: '',
    numberPrefix: '',
    ...other,
  }
}

export class SoundFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'ghanti-sounds-'))
  /** Where the dialer is to find them. */
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
