import { codeOf } from '../../lib/error-code.ts'

/** PostgreSQL is shut down, has crashed or is starting; accepts no writes, since another server is the primary; or the connection is lost (class 08). */
const awayStates = /^(57P0[1-3]|25006|08\d\d\d)$/
const awayOfNode = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTCONN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]
/** pg has no codes for these. */
const awayWords = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired)/

/** Whether a statement failed because the database cannot be reached, and not because of what was asked. */
export function isDatabaseUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined && (awayStates.test(code) || awayOfNode.includes(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnreachable)
  return error instanceof Error && awayWords.test(error.message)
}
