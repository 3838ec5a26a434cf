import { pino, type Logger } from 'pino'

/** Silent, unless GHANTI_TEST_LOG names a level. */
export function testLog(): Logger {
  return pino({ level: process.env['GHANTI_TEST_LOG'] ?? 'silent', serializers: { error: pino.stdSerializers.err } })
}
