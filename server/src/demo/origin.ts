import type { Origin } from '../http/types.ts'

/** As whom the log names the demo. */
export const demoOrigin: Origin = { ip: '127.0.0.1', host: 'localhost', userAgent: 'demo' }
