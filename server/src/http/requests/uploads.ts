import { ownValue, setOwnValue } from '@ghanti/contract/own-values.ts'
import { createHash, type Hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { tooLarge } from '@ghanti/contract/messages.ts'
import type { FileField, Route } from '@ghanti/contract/route.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import type { Multipart, MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, badField, type FieldError } from '../../errors.ts'
import type { StagedFile } from '../types.ts'

/** The limit for all fields of a form together. Anything longer is a file, or is written to disk like one. */
const fieldMaxBytes = mebibyte
const partsMax = 40

/** Resolves when so many bytes more may be taken (body-pace.ts). */
type Pace = (bytes: number) => Promise<void>

export type Upload = {
  /** The fields besides the files; saidBy checks them. */
  fields: unknown
  files: Record<string, StagedFile>
  /** SHA-256 of each file with its name and type, which tells two uploads apart. */
  digests: Record<string, string[]>
  errors: FieldError[]
}

/**
 * Reads a multipart body: files onto the disk below `folder`, up to the limit that the contract gives each, fields into memory. A body
 * that is too large is read to the end and discarded, so that the browser sees the reply instead of a broken connection.
 */
export async function readUpload(route: Route, request: FastifyRequest, folder: string, pace: Pace): Promise<Upload> {
  if (!request.isMultipart()) return await readTexts(route, request.body, folder)
  const limits = {
    fileSize: Math.max(1, ...Object.values(route.files).map((file) => file.maxBytes)) + 1,
    fieldSize: fieldMaxBytes + 1,
    parts: partsMax,
    files: partsMax,
    fields: partsMax,
  }
  const fields: Record<string, unknown> = {}
  const files: Record<string, StagedFile> = {}
  const digests: Record<string, string[]> = {}
  let tooLong: string | null = null
  let fieldBytes = 0
  const seen = new Set<string>()
  const twice = new Set<string>()
  for await (const part of partsOf(request, limits, (name) => fieldOf(route, name)?.orText === true)) {
    const again = seen.has(part.fieldname)
    seen.add(part.fieldname)
    if (part.type === 'field') {
      fieldBytes += typeof part.value === 'string' ? Buffer.byteLength(part.value) : 0
      if (part.valueTruncated || fieldBytes > fieldMaxBytes) tooLong ??= tooLarge(declaredBytes(request, fieldBytes))
      else if (again) twice.add(part.fieldname)
      else setOwnValue(fields, part.fieldname, part.value)
      continue
    }
    const wanted = fieldOf(route, part.fieldname)
    if (wanted && again) twice.add(part.fieldname)
    const hash = createHash('sha256')
    const staged = wanted && !again && !tooLong ? await stage(part, folder, hash, pace) : await discard(part, pace)
    if (!wanted || !staged) continue
    if (part.file.truncated || staged.size > wanted.maxBytes) tooLong = tooLarge(declaredBytes(request, staged.size))
    else if (staged.fileName !== '' || staged.size > 0) {
      setOwnValue(files, part.fieldname, staged)
      setOwnValue(digests, part.fieldname, [hash.digest('hex'), staged.fileName, staged.declaredType])
    }
  }
  if (tooLong) throw new AppError('too_large', [], { message: tooLong })
  const errors = [...twice].map((field): FieldError => ({ field, code: 'twice', text: 'is there twice' }))
  return { fields, files, digests, errors: [...errors, ...missingFiles(route, files)] }
}

type Limits = NonNullable<NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']>

function fieldOf(route: Route, name: string): FileField | undefined {
  return ownValue(route.files, name)
}

/** Reads a JSON body instead of a form. Its long texts are also written to disk. */
async function readTexts(route: Route, body: unknown, folder: string): Promise<Upload> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { fields: body, files: {}, digests: {}, errors: missingFiles(route, {}) }
  const fields: Record<string, unknown> = { ...body }
  const files: Record<string, StagedFile> = {}
  const digests: Record<string, string[]> = {}
  const errors: FieldError[] = []
  for (const [name, text] of Object.entries(fields)) {
    if (!fieldOf(route, name)?.orText) continue
    delete fields[name]
    if (text === '' || text === null) continue
    if (typeof text !== 'string') {
      errors.push({ field: name, code: 'invalid_type', text: 'must be text' })
      continue
    }
    const target = path.join(folder, name)
    await fs.writeFile(target, text, { flag: 'wx', mode: 0o600 })
    setOwnValue(files, name, { path: target, size: Buffer.byteLength(text), fileName: '', declaredType: 'text/plain' })
    setOwnValue(digests, name, [createHash('sha256').update(text).digest('hex'), '', 'text/plain'])
  }
  const missing = missingFiles(route, files).filter(({ field }) => !errors.some((wrong) => wrong.field === field))
  return { fields, files, digests, errors: [...errors, ...missing] }
}

/** A body that ends too early or has no boundary is the sender's fault; a full disk is ours. */
async function* partsOf(
  request: FastifyRequest,
  limits: Limits,
  isLongText: (name: string) => boolean,
): AsyncGenerator<Multipart> {
  const isPartAFile = (name = '', type?: string, fileName?: string) =>
    fileName !== undefined || type === 'application/octet-stream' || isLongText(name)
  try {
    yield* request.parts({ limits, isPartAFile })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw 'code' in error && limitCodes.has(String(error.code))
      ? badField('body', `has more than ${partsMax} parts`)
      : badField('body', 'is not readable', 'unreadable')
  }
}
const limitCodes = new Set(['FST_PARTS_LIMIT', 'FST_FILES_LIMIT', 'FST_FIELDS_LIMIT'])

/** The size of the whole file, not of the part that was read. */
function declaredBytes(request: FastifyRequest, readBytes: number): number {
  return Math.max(readBytes, Number(request.headers['content-length'] ?? 0))
}

async function stage(part: MultipartFile, folder: string, hash: Hash, pace: Pace): Promise<StagedFile> {
  const target = path.join(folder, part.fieldname)
  const hashed = async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      await pace(piece.length)
      hash.update(piece)
      yield piece
    }
  }
  await pipeline(part.file, hashed, createWriteStream(target, { flags: 'wx', mode: 0o600 })).catch(unreadable)
  const { size } = await fs.stat(target)
  // A plain field that was written to disk has no file name.
  return { path: target, size, fileName: part.filename ?? '', declaredType: part.mimetype }
}

async function discard(part: MultipartFile, pace: Pace): Promise<undefined> {
  const nowhere = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of pieces) await pace(piece.length)
  }
  await pipeline(part.file, nowhere).catch(unreadable)
}

/** An error in the middle of a file is the sender's fault, unless it is a system error. */
function unreadable(error: unknown): never {
  if (error instanceof Error && 'syscall' in error) throw error
  throw badField('body', 'is not readable', 'unreadable')
}

function missingFiles(route: Route, files: Record<string, StagedFile>): FieldError[] {
  return Object.entries(route.files)
    .filter(([name, field]: [string, FileField]) => field.required && !ownValue(files, name))
    .map(([field]) => ({ field, code: 'required', text: 'is required' }))
}
