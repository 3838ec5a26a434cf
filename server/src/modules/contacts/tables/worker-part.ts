import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { SaxesParser } from 'saxes'
import type { Entry, ZipFile } from 'yauzl'
import { mebibyte } from '@ghanti/contract/values.ts'

/** The workbook cannot be used. `why` continues a sentence after the field's label. */
export class Refused extends Error {
  readonly code: FaultCode
  constructor(why: string, code: FaultCode = 'not_readable') {
    super(why)
    this.code = code
  }
}

/** Limits a zip bomb: the unpacked size of all parts together. A million rows of ten columns stay below it. */
const unpackedMax = 640 * mebibyte
/** How many bytes may follow one another without a tag, which the parser would keep in memory. */
const betweenTagsMax = mebibyte

/** Counts what is unpacked of one file; throws beyond the limit. */
export class Unpacked {
  #left = unpackedMax

  take(bytes: number): void {
    this.#left -= bytes
    if (this.#left < 0)
      throw new Refused(`holds more than ${unpackedMax / mebibyte} MB when it is unpacked`, 'too_large')
  }
}

export type Attributes = Readonly<Record<string, string>>
/** Tags are named without the prefix of their namespace. */
export type Handlers = {
  open(tag: string, attributes: Attributes): void
  text?(text: string): void
  close?(tag: string): void
}

const bare = (tag: string): string => tag.slice(tag.indexOf(':') + 1)

/** Unpacks and parses a part of a workbook piece by piece; yields after each piece. */
export async function* readPart(
  { zip, unpacked }: { zip: ZipFile; unpacked: Unpacked },
  entry: Entry,
  { open, text, close }: Handlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false, xmlns: false })
  let sinceTag = 0
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0
    open(bare(name), attributes)
  })
  if (text) parser.on('text', text)
  parser.on('closetag', ({ name }) => {
    sinceTag = 0
    close?.(bare(name))
  })
  parser.on('error', (error) => {
    throw error
  })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // yauzl fails the stream when an entry unpacks to more than its declared size.
  const stream = await zip.openReadStreamPromise(entry)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      unpacked.take(chunk.length)
      sinceTag += chunk.length
      parser.write(decoder.decode(chunk, { stream: true }))
      if (sinceTag > betweenTagsMax) throw new Refused('has a cell that is too long')
      yield
    }
    parser.close()
  } finally {
    stream.destroy()
  }
}

export async function readWholePart(...of: Parameters<typeof readPart>): Promise<void> {
  for await (const _ of readPart(...of));
}
