import * as fs from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import type { FileReply } from '../types.ts'

type Range = { start: number; end: number }

/** One range of a file; 'none' to send it whole; 'bad' when no byte of the range exists. Several ranges at once are answered with the whole file. */
export function rangeOf(header: string | undefined, size: number): Range | 'none' | 'bad' {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header.trim())
  if (!match) return 'none'
  const [, from = '', to = ''] = match
  if (from === '' && to === '') return 'none'
  if (from === '') {
    const last = Number(to)
    return last === 0 || size === 0 ? 'bad' : { start: Math.max(0, size - last), end: size - 1 }
  }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return 'none'
  return start >= size ? 'bad' : { start, end }
}

/** RFC 6266: an ASCII name for old clients, and the real name in UTF-8. */
function dispositionOf(reply: FileReply): string {
  const ascii = reply.fileName.replaceAll(/[^\x20-\x7e]|["\\]/g, '_')
  const utf8 = encodeURIComponent(reply.fileName).replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return `${reply.inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${utf8}`
}

const cacheControl = {
  private: 'private, no-store',
  public: 'public, max-age=3600',
  forever: 'public, max-age=31536000, immutable',
}

/** Whether the requested range refers to the current version of the file. A client that sends no `If-Range` accepts any version. */
function isOfThis({ headers }: FastifyRequest, { etag }: FileReply): boolean {
  const of = headers['if-range']
  return of === undefined || (etag !== undefined && of === `"${etag}"`)
}

export async function sendFile(
  files: FilesDriver,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileReply,
): Promise<FastifyReply> {
  reply.header('content-type', file.type)
  reply.header('content-disposition', dispositionOf(file))
  reply.header('cache-control', cacheControl[file.cache ?? 'private'])
  // A picture opened in its own tab runs as a page of this origin, so it must not be able to run scripts.
  if (file.type.startsWith('image/')) reply.header('content-security-policy', "default-src 'none'; sandbox")
  const isHead = request.method === 'HEAD'
  if ('make' in file.body) return reply.send(isHead ? '' : Buffer.from(await file.body.make()))
  if ('stream' in file.body) {
    if (!isHead) return reply.send(file.body.stream)
    file.body.stream.destroy()
    return reply.send('')
  }
  const path = 'hash' in file.body ? await files.pathOf(file.body.hash) : file.body.path
  const { size } = await fs.promises.stat(path)
  reply.header('accept-ranges', 'bytes')
  if (file.etag) reply.header('etag', `"${file.etag}"`)
  const range = isOfThis(request, file) ? rangeOf(request.headers.range, size) : 'none'
  if (range === 'bad') return reply.code(416).header('content-range', `bytes */${size}`).send('')
  const { start, end } = range === 'none' ? { start: 0, end: size - 1 } : range
  if (range !== 'none') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', end - start + 1)
  if (size === 0 || isHead) return reply.send('')
  const handle = await fs.promises.open(path, 'r')
  return reply.send(handle.createReadStream({ start, end }))
}
