import { messages, notSupported, tooLarge } from '@ghanti/contract/messages.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { inWordsOfFreeze } from '../../db/frozen.ts'
import { isOverTime } from '../../db/in-time.ts'
import { isDatabaseUnreachable } from '../../db/servers/unreachable.ts'
import { isGone } from '../../drivers/files/driver.ts'
import type { RefusedFile } from '@ghanti/contract/refused.ts'
import { AppError, OutcomeUnknown, outcomeUnknown, wireOf, type FieldError } from '../../errors.ts'

export type ErrorReply = {
  status: number
  message: string
  errors: readonly FieldError[]
  retryAfterSeconds?: number | undefined
  file?: RefusedFile | undefined
}

const awayRetrySeconds = 5
const databaseAway: ErrorReply = {
  status: 503,
  message: messages.requestFailed,
  errors: [],
  retryAfterSeconds: awayRetrySeconds,
}

/** A statement that took longer than a request's may. */
const overTime: ErrorReply = {
  status: 503,
  message: messages.requestFailed,
  errors: [{ field: 'request', code: 'over_time', text: 'took too long and was ended: ask for less at once' }],
  retryAfterSeconds: awayRetrySeconds,
}

/** The reply to a failure. Undefined for a bug, which answers 500. */
function wireReplyOf(error: unknown, request: FastifyRequest): ErrorReply | undefined {
  if (error instanceof AppError) {
    const { status } = wireOf[error.code]
    const { message, errors, retryAfterSeconds, file } = error
    return { status, message, errors, retryAfterSeconds, file }
  }
  if (!isFastifyError(error) || error.statusCode === undefined || error.statusCode >= 500) return undefined
  if (error.statusCode === 413) {
    const bytes = Number(request.headers['content-length'] ?? 0)
    return { status: 413, message: tooLarge(bytes), errors: [] }
  }
  if (error.statusCode === 415) {
    const type = request.headers['content-type'] ?? 'no content type'
    return { status: 415, message: notSupported(type), errors: [] }
  }
  return {
    status: 400,
    message: messages.badInput,
    errors: [{ field: 'body', code: 'unreadable', text: error.message }],
  }
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error
}

/** What a reply said of a file that cannot be sent after all. */
const ofFiles = ['content-disposition', 'content-length', 'content-range', 'accept-ranges', 'etag']

/** `{message, errors?}` with the message as the reason phrase too. A non-ASCII character in a reason phrase would crash the process. */
export function sendError(reply: FastifyReply, wire: ErrorReply): FastifyReply {
  if (/^[\x20-\x7e]+$/.test(wire.message)) reply.raw.statusMessage = wire.message
  if (wire.retryAfterSeconds !== undefined) reply.header('retry-after', String(wire.retryAfterSeconds))
  for (const name of ofFiles) reply.removeHeader(name)
  const body = {
    message: wire.message,
    ...(wire.errors.length > 0 && { errors: wire.errors }),
    ...(wire.file && { file: wire.file }),
    ...(isFailedReport(reply, wire) && { error: wire.message }),
  }
  return reply
    .code(wire.status)
    .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    .send(body)
}

/** Reports of messages use this field too, as specification 2 §7 demands. Every route sends the same reply when there is no session. */
function isFailedReport({ request }: FastifyReply, { status }: ErrorReply): boolean {
  return status !== 401 && request.url.startsWith('/app/sms/campaign/report/')
}

/** A file was removed after its name was read: what it belonged to is not there any more. */
export function notThere(log: Logger, error: unknown, route: string): AppError {
  log.warn({ error, route }, 'a stored file was asked for that is not there')
  return new AppError('not_found')
}

export function errorHandler(log: Logger) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const failure = inWordsOfFreeze(thrown)
    const error = isGone(failure) ? notThere(log, failure, request.routeOptions.url ?? '') : failure
    const wire = wireReplyOf(error, request)
    if (wire) return sendError(reply, wire)
    if (error instanceof OutcomeUnknown) {
      log.error(
        { error, method: request.method, path: request.url.split('?')[0] },
        'the outcome of a request is unknown',
      )
      return sendError(reply, { status: 500, ...outcomeUnknown })
    }
    if (isDatabaseUnreachable(error)) {
      log.warn({ error, method: request.method, path: request.url.split('?')[0] }, 'the database cannot be reached')
      return sendError(reply, databaseAway)
    }
    if (isOverTime(error)) {
      log.warn({ error, method: request.method, path: request.url.split('?')[0] }, 'a statement took too long')
      return sendError(reply, overTime)
    }
    log.error({ error, method: request.method, path: request.url.split('?')[0] }, 'request failed')
    return sendError(reply, { status: 500, message: messages.requestFailed, errors: [] })
  }
}
