import { Readable } from 'node:stream'
import { TelephonyError } from '../../driver.ts'
import { AriError, type AriHttp } from '../ari/http.ts'
import { StoredNames } from '../ari/messages.ts'
import { messageOf } from '../../../../lib/error-code.ts'

const folder = 'ghanti/'
const storedPath = (recordingId: string): string => `/recordings/stored/${encodeURIComponent(nameOf(recordingId))}`

/** The recording's name on the dialer, where other recordings may be. */
export function nameOf(recordingId: string): string {
  if (!/^[A-Za-z0-9-]{1,80}$/.test(recordingId)) throw new Error(`not a recording id: ${recordingId}`)
  return folder + recordingId
}

/** Null when it is not one of ours. */
export function recordingIdOf(name: string): string | null {
  return name.startsWith(folder) ? name.slice(folder.length) : null
}

/** Includes only recordings that have ended. */
export async function storedIds(http: AriHttp): Promise<string[]> {
  const stored = StoredNames.parse(await http.ari('GET', '/recordings/stored'))
  const ids = stored.map(({ name }) => recordingIdOf(name)).filter((id) => id !== null)
  const ended: string[] = []
  for (const id of ids) if (!(await isLive(http, id))) ended.push(id) // the file also exists while it is being recorded
  return ended
}

function isLive(http: AriHttp, recordingId: string): Promise<boolean> {
  return http.did('GET', `/recordings/live/${encodeURIComponent(nameOf(recordingId))}`)
}

export async function fetchStored(http: AriHttp, recordingId: string): Promise<Readable> {
  try {
    const response = await http.stream(`${storedPath(recordingId)}/file`)
    const size = Number(response.headers['content-length'])
    if (!Number.isInteger(size)) throw new Error('Asterisk does not tell its size')
    return Readable.from(repaired(response, size), { objectMode: false })
  } catch (error) {
    if (error instanceof AriError && error.status === 404) throw new TelephonyError(`no recording ${recordingId}`)
    throw new TelephonyError(`recording ${recordingId}: ${messageOf(error)}`)
  }
}

export function deleteStored(http: AriHttp, recordingId: string): Promise<boolean> {
  return http.did('DELETE', storedPath(recordingId))
}

/** Asterisk writes 44 bytes: RIFF, fmt with its 16, data. */
const headerBytes = 44

/** The header of a recording whose Asterisk was killed says 0 bytes, so it is replaced by one with the file's size. */
async function* repaired(wav: AsyncIterable<unknown>, size: number): AsyncGenerator<Buffer> {
  let header = Buffer.alloc(0)
  let got = 0
  for await (const piece of wav) {
    const bytes = Buffer.from(piece as Buffer)
    got += bytes.length
    if (header.length >= headerBytes) {
      yield bytes
      continue
    }
    header = Buffer.concat([header, bytes])
    if (header.length < headerBytes) continue
    yield withLengths(header, size)
  }
  if (got !== size || header.length < headerBytes)
    throw new TelephonyError(`a recording of ${size} bytes came as ${got}`)
}

function withLengths(start: Buffer, size: number): Buffer {
  if (start.toString('latin1', 0, 4) !== 'RIFF' || start.toString('latin1', 36, 40) !== 'data')
    throw new TelephonyError('a recording that is no wav file')
  const whole = Buffer.from(start)
  whole.writeUInt32LE(size - 8, 4)
  whole.writeUInt32LE(size - headerBytes, 40)
  return whole
}
