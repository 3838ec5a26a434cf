import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { fromBuffer, type Entry, type ZipFile } from 'yauzl'
import { ZipFile as NewZip } from 'yazl'

const open = promisify<Buffer, { lazyEntries: true }, ZipFile>(fromBuffer)

export async function unzipped(bytes: Buffer): Promise<Record<string, string>> {
  const file = await open(bytes, { lazyEntries: true })
  const texts: Record<string, string> = {}
  return new Promise((resolve, reject) => {
    file.on('entry', (entry: Entry) => {
      file.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        text(stream).then((content) => {
          texts[entry.fileName] = content
          file.readEntry()
        }, reject)
      })
    })
    file.on('end', () => resolve(texts)).on('error', reject)
    file.readEntry()
  })
}

/** A zip of texts by their names, in their order. */
export async function zipOf(texts: Readonly<Record<string, string>>): Promise<Buffer<ArrayBuffer>> {
  const zip = new NewZip()
  for (const [name, content] of Object.entries(texts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return (await buffer(zip.outputStream)) as Buffer<ArrayBuffer>
}
