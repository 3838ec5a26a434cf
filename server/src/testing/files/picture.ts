import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

export function pictureFile(fileName: string, width = 64, height = 64): File {
  return new File([Buffer.from(pngOf(width, height, 0))], fileName, { type: 'image/png' })
}

/** A picture of about this many bytes, other bytes each time. */
export function heavyPicture(bytes: number): File {
  return new File([Buffer.from(pngOf(64, 64, bytes))], 'heavy.png', { type: 'image/png' })
}

function pngOf(width: number, height: number, ballast: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // eight bits each of red, green and blue
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, 0x7a)])
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(line)))
  const more = ballast === 0 ? [] : [chunk('prVt', randomBytes(ballast))]
  const parts = [chunk('IHDR', header), ...more, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
