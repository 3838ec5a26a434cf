import type { RefusedFile } from '@ghanti/contract/refused.ts'

/** Failures without an answer from the server, in English; i18n/server-texts.ne.ts has the Nepali. */
export const ownFailures = {
  unreachable: 'The server cannot be reached. Check your connection and try again.',
  timedOut: 'The server did not answer in time. Please try again.',
  notUnderstood: 'The server’s answer was not understood. Please reload the page.',
} as const

export type FieldFailure = { field: string; code: string; text: string }

/** A failed call. `message` is the catalogue's exact English text; `errors` says which field and why. */
export class ApiError extends Error {
  /** The HTTP status; 0 without an answer. */
  readonly status: number
  readonly errors: readonly FieldFailure[]
  readonly retryAfterSeconds: number | null
  /** Of a file that was refused: its counts, and its first refused rows. */
  readonly file: RefusedFile | undefined

  constructor(
    status: number,
    message: string,
    errors: readonly FieldFailure[] = [],
    retryAfterSeconds: number | null = null,
    file?: RefusedFile,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.file = file
  }
}
