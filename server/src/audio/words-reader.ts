import { isWav } from '@ghanti/callflow/sound/riff.ts'
import { WavError } from '@ghanti/callflow/sound/wav.ts'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import * as yauzl from 'yauzl'
import { detectedType } from './wav.ts'
import { wordOf } from './words-sound.ts'
import type { WordFile, WordsEnd, WordsJob } from './words-worker.ts'

export async function* read(job: WordsJob): AsyncGenerator<WordFile, WordsEnd> {
  const bytes = await readFile(job.path)
  if (bytes.length === 0) return { kind: 'refused', code: 'empty', why: 'is empty' }
  if (isWav(bytes)) {
    if (bytes.length > job.fileBytesMax) return { kind: 'tooLarge', bytes: bytes.length }
    yield wordFile(job.fileName, bytes, job)
    return { kind: 'read' }
  }
  const type = detectedType(bytes)
  if (type !== 'application/zip') return { kind: 'foreign', type }
  try {
    return yield* readZip(job)
  } catch {
    const why = 'is a zip that cannot be read: it is damaged or encrypted'
    return { kind: 'refused', code: 'not_readable', why }
  }
}

function wordFile(fileName: string, bytes: Uint8Array, { secondsMax }: WordsJob): WordFile {
  try {
    return { fileName, wav: wordOf(bytes, secondsMax) }
  } catch (error) {
    if (error instanceof WavError) return { fileName, refused: error.message }
    throw error
  }
}

/** Files that operating systems add to a zip. */
const isLitter = (name: string): boolean => name.endsWith('/') || /(^|\/)(__MACOSX\/|\.|Thumbs\.db$)/.test(name)

async function* readZip(job: WordsJob): AsyncGenerator<WordFile, WordsEnd> {
  const { path, filesMax } = job
  const zip = await yauzl.openPromise(path, { autoClose: false })
  let files = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (isLitter(entry.fileName)) continue
      if (files++ === filesMax)
        return { kind: 'refused', code: 'not_readable', why: `holds more than ${filesMax} files` }
      yield await readEntry(zip, entry, job)
    }
  } finally {
    zip.close()
  }
  return { kind: 'read' }
}

async function readEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, job: WordsJob): Promise<WordFile> {
  const { fileName } = entry
  if (!/\.wav$/i.test(fileName)) return { fileName, refused: 'is not a wav file' }
  if (entry.uncompressedSize > job.fileBytesMax) return { fileName, refused: 'is too large' }
  // yauzl ends the stream with an error when it contains more than the entry says.
  return wordFile(fileName, await buffer(await zip.openReadStreamPromise(entry)), job)
}
