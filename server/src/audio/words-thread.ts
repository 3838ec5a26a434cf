import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { parentPort, workerData } from 'node:worker_threads'
import * as yauzl from 'yauzl'
import { WavError } from './wav.ts'
import { wordOf } from './words-sound.ts'
import type { WordFile, WordsJob, WordsReply } from './words-worker.ts'

const { path, fileName, secondsMax, fileBytesMax, filesMax }: WordsJob = workerData

function read(fileName: string, bytes: Uint8Array): WordFile {
  try {
    return { fileName, wav: wordOf(bytes, secondsMax) }
  } catch (error) {
    if (error instanceof WavError) return { fileName, refused: error.message }
    throw error
  }
}

/** Files that operating systems add to a zip. */
const isLitter = (name: string): boolean => name.endsWith('/') || /(^|\/)(__MACOSX\/|\.|Thumbs\.db$)/.test(name)

async function readZip(): Promise<WordsReply> {
  const zip = await yauzl.openPromise(path, { autoClose: false })
  const files: WordFile[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      if (isLitter(entry.fileName)) continue
      if (files.length === filesMax) return { refused: `holds more than ${filesMax} files` }
      files.push(await readEntry(zip, entry))
    }
  } finally {
    zip.close()
  }
  return { files }
}

async function readEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<WordFile> {
  const { fileName } = entry
  if (!/\.wav$/i.test(fileName)) return { fileName, refused: 'is not a wav file' }
  if (entry.uncompressedSize > fileBytesMax) return { fileName, refused: 'is too large' }
  // yauzl ends the stream with an error when it contains more than the entry says.
  return read(fileName, await buffer(await zip.openReadStreamPromise(entry)))
}

async function readAll(): Promise<WordsReply> {
  const bytes = readFileSync(path)
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') return { files: [read(fileName, bytes)] }
  return readZip().catch((): WordsReply => ({ refused: 'is a zip that cannot be read: it is damaged or encrypted' }))
}

const reply = await readAll()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(reply)
