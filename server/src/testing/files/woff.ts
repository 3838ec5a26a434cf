import { inflateSync } from 'node:zlib'

/** The OpenType font inside of a WOFF file (version 1), for libraries that read only those. */
export function openTypeOf(woff: Buffer): Buffer<ArrayBuffer> {
  const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, at) => {
    const entry = 44 + at * 20
    const [offset, packed, size] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ]
    const bytes = woff.subarray(offset, offset + packed)
    const data = packed < size ? inflateSync(bytes) : bytes
    return { tag: woff.subarray(entry, entry + 4), sum: woff.readUInt32BE(entry + 16), data }
  })
  const head: Buffer<ArrayBuffer> = Buffer.alloc(12 + 16 * tables.length)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(tables.length, 4)
  const parts: Buffer[] = [head]
  let offset = head.length
  for (const [at, { tag, sum, data }] of tables.entries()) {
    const entry = 12 + 16 * at
    tag.copy(head, entry)
    for (const [field, value] of [sum, offset, data.length].entries()) head.writeUInt32BE(value, entry + 4 + 4 * field)
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4)
    parts.push(data, padding)
    offset += data.length + padding.length
  }
  return Buffer.concat(parts)
}
