import { codeOf } from '../../lib/error-code.ts'

/** Shut down, crashed, starting; no writes, since another server is the primary; the connection lost (class 08). */
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

/** And not because of what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined && (awayStates.test(code) || awayOfNode.includes(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return error instanceof Error && awayWords.test(error.message)
}
