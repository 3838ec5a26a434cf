import { isWav } from '@ghanti/callflow/sound/riff.ts'
import { WavError } from '@ghanti/callflow/sound/wav.ts'
import { readFile } from 'node:fs/promises'
import { detectedType, toTelephone } from './wav.ts'
import type { WavEnd, WavJob } from './wav-worker.ts'

export async function read({ path, secondsMax }: WavJob): Promise<WavEnd> {
  const bytes = await readFile(path)
  if (bytes.length === 0) return { kind: 'refused', code: 'empty', why: 'is empty' }
  if (!isWav(bytes)) return { kind: 'foreign', type: detectedType(bytes) }
  try {
    return { kind: 'sound', wav: toTelephone(bytes, secondsMax) }
  } catch (error) {
    if (error instanceof WavError) return { kind: 'refused', code: 'not_readable', why: error.message }
    throw error
  }
}
