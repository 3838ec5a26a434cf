/** Whether a PNG has a single colour, which people who wait for a page see as white. */
import { inflateSync } from 'node:zlib'

const signatureBytes = 8
const [lengthBytes, typeBytes, checksumBytes] = [4, 4, 4]

/** For PNGs as Chromium writes them: 8 bits a channel, not interlaced. */
export function isBlank(png: Buffer): boolean {
  const parts: Buffer[] = []
  let [width, channels] = [0, 0]
  for (let at = signatureBytes; at < png.length;) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + lengthBytes, at + lengthBytes + typeBytes)
    const data = png.subarray(at + lengthBytes + typeBytes, at + lengthBytes + typeBytes + length)
    if (type === 'IHDR') {
      width = data.readUInt32BE(0)
      channels = data[9] === 6 ? 4 : 3
    }
    if (type === 'IDAT') parts.push(data)
    at += lengthBytes + typeBytes + length + checksumBytes
  }
  return isOneColour(inflateSync(Buffer.concat(parts)), width, channels)
}

/**
 * Whatever filter it uses, a row of one colour is its first pixel followed by the same again ('none') or by differences to the left or above, which
 * are all 0.
 */
function isOneColour(bytes: Buffer, width: number, channels: number): boolean {
  const row = 1 + width * channels
  for (let at = 0; at < bytes.length; at += row) {
    const filter = bytes[at]
    for (let pixel = 1 + channels; pixel < row; pixel += 1) {
      const expected = filter === 0 ? bytes[at + pixel - channels] : 0
      if (bytes[at + pixel] !== expected) return false
    }
  }
  return true
}
