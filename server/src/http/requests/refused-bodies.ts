import { setTimeout as sleep } from 'node:timers/promises'
import { kibibyte } from '@ghanti/contract/values.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'

/** What of a body is received before anything is decided, and costs nothing more to drop. */
const smallBody = 64 * kibibyte
/** Of one network: as many as a person at a screen may meet. */
const promptPerMinute = 5
/** How long each further answer is kept back. */
const keptBackMs = 1500

/**
 * Whoever sends large bodies again and again that are refused before they are read is answered later. A refusal costs its sender nothing, but the server
 * all that it has to receive of the body; nothing more of it is received meanwhile.
 */
export function answerRefusedBodiesLate(http: FastifyInstance, networkOf: (ip: string) => string): void {
  const recent = new RateLimiterMemory({ points: promptPerMinute, duration: 60 })
  http.addHook('onSend', async (request) => {
    if (request.raw.complete || !isLarge(request)) return
    const isPrompt = await recent.consume(networkOf(request.ip)).then(
      () => true,
      () => false,
    )
    if (!isPrompt) await sleep(keptBackMs)
  })
}

function isLarge({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBody
}
