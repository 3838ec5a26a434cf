import { Readable } from 'node:stream'

const bytesPerSecond = 16_000

/** A tone as 8 kHz mono 16-bit wav: the sound of a simulated conversation. Made while it is read, one second at a time. */
export function toneWav(durationMs: number): Readable {
  const size = Math.round((durationMs * bytesPerSecond) / 2000) * 2
  return Readable.from(pieces(size), { objectMode: false })
}

function* pieces(size: number): Generator<Buffer> {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + size, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(bytesPerSecond, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(size, 40)
  yield header
  const second = Buffer.alloc(bytesPerSecond)
  for (let at = 0; at < 8000; at += 1)
    second.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / 8000)), at * 2)
  for (let left = size; left > 0; left -= bytesPerSecond) yield second.subarray(0, Math.min(left, bytesPerSecond))
}
