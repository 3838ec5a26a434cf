import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { RefusedFile } from '@ghanti/contract/refused.ts'

/** Which field is wrong and why. `field` is its name on the wire, with an index for rows: 'agentRows.1.agentNumber'. */
export type FieldError = { field: string; code: FaultCode; text: string }

/** One exhaustive table from code to wire reply (docs/api.md#statuses-and-messages). */
export const wireOf = {
  bad_input: { status: 400, message: messages.badInput },
  channel_limit: { status: 400, message: messages.channelLimit },
  bad_credentials: { status: 401, message: messages.badCredentials },
  token_not_valid: { status: 401, message: messages.tokenNotValid },
  token_expired: { status: 401, message: messages.tokenExpired },
  account_expired: { status: 403, message: messages.accountExpired },
  not_allowed: { status: 403, message: messages.notAllowed },
  not_found: { status: 404, message: messages.noData },
  /** A conflict of state or name; `errors` says which. */
  conflict: { status: 409, message: messages.requestFailed },
  /** The error's own message replaces this one, because it names size or type. */
  too_large: { status: 413, message: messages.badInput },
  not_supported: { status: 415, message: messages.badInput },
  key_reused: { status: 422, message: messages.requestFailed },
  throttled: { status: 429, message: messages.requestFailed },
  not_ready: { status: 503, message: messages.requestFailed },
} as const satisfies Record<string, { status: number; message: string }>
export type ErrorCode = keyof typeof wireOf

/** An answer is no larger because a request had many faults. The rest is counted. */
const errorsMax = 50
const fieldNameMax = 100

function bounded(errors: readonly FieldError[]): readonly FieldError[] {
  const kept = errors.length > errorsMax ? errors.slice(0, errorsMax - 1) : errors
  const shown = kept.map((error) =>
    error.field.length > fieldNameMax ? { ...error, field: `${error.field.slice(0, fieldNameMax)}…` } : error,
  )
  if (kept === errors) return shown
  return [...shown, { field: 'body', code: 'more', text: `has ${errors.length - kept.length} more errors` }]
}

/** A failure that a caller can act on. Bugs are not AppErrors: whatever they throw becomes a 500. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  /** Seconds for Retry-After; only with throttled and not_ready. */
  readonly retryAfterSeconds: number | undefined
  readonly file: RefusedFile | undefined

  constructor(
    code: ErrorCode,
    errors: readonly FieldError[] = [],
    more: { message?: string; retryAfterSeconds?: number; file?: RefusedFile } = {},
  ) {
    super(more.message ?? wireOf[code].message)
    this.code = code
    this.errors = bounded(errors)
    this.retryAfterSeconds = more.retryAfterSeconds
    this.file = more.file
  }
}

/** The database went away during a request, which may have committed. Not an AppError, because nothing may be concluded from it. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super(outcomeUnknown.message, { cause })
  }
}

/** Also the reply to a repeated request whose first try ended so. */
export const outcomeUnknown = {
  message: 'It is not known whether this was done',
  errors: [
    {
      field: 'Idempotency-Key',
      code: 'unknown',
      text: 'The server failed before it could answer. Check whether it was done before you try again',
    },
  ],
} as const satisfies { message: string; errors: readonly FieldError[] }

/** 400 for one field. `text` continues a sentence that begins with the field's label: 'must be in the future'. */
export function badField(field: string, text: string, code: FaultCode = 'invalid'): AppError {
  return new AppError('bad_input', [{ field, code, text }])
}

export function badFile(error: FieldError, file: RefusedFile): AppError {
  return new AppError('bad_input', [error], { file })
}

export function conflict(field: string, text: string, code: FaultCode = 'conflict'): AppError {
  return new AppError('conflict', [{ field, code, text }])
}
