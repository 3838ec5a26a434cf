import * as http from 'node:http'
import * as https from 'node:https'
import type { LookupFunction } from 'node:net'
import { ForbiddenAddress, lookupFor, requireAllowed, type AllowedHosts } from '../../outgoing.ts'
import type { GatewayRequest } from './request.ts'

export type HttpOutcome =
  /** `retryAfter`: the header as it was written, where the client reads no texts. */
  | { kind: 'replied'; status: number; text: string; retryAfter?: string | undefined }
  /** There was no connection: no byte left. */
  | { kind: 'unreached'; error: Error & { code?: string } }
  /** `status`: of an answer that broke off; null when there was none. */
  | { kind: 'lost'; why: 'cut' | 'slow' | 'long'; status: number | null }

const replyBytesMax = 65_536
/** With what frames its pieces: in pieces of a byte, an answer is six times as much work as bytes. */
const wireBytesMax = 2 * replyBytesMax
/** How long an idle connection is kept. Servers close idle connections, perhaps at the moment of their next use. */
const idleMs = 1000

type HttpClientOptions = {
  lookup?: LookupFunction
  /** False gives each request its own connection: when a kept one closes, nobody knows whether the request was read. */
  keepAlive?: boolean
  /** False: what follows the status is not read, however long it is, and the connection is cut. */
  readsAnswers?: boolean
}

/** Sends requests to one gateway, and keeps connections for a moment. Redirects count as replies. */
export class HttpClient {
  readonly #allowed: AllowedHosts
  readonly #answerMs: number
  readonly #readsAnswers: boolean
  readonly #agents: readonly [http.Agent, https.Agent]

  constructor(
    allowed: AllowedHosts,
    answerMs: number,
    { lookup = lookupFor(allowed), keepAlive = true, readsAnswers = true }: HttpClientOptions = {},
  ) {
    this.#allowed = allowed
    this.#readsAnswers = readsAnswers
    this.#answerMs = answerMs
    const options = { keepAlive, lookup, ...(keepAlive && { timeout: idleMs }) }
    this.#agents = [new http.Agent(options), new https.Agent(options)]
  }

  close(): void {
    for (const agent of this.#agents) agent.destroy()
  }

  async send({ method, url, headers, body }: GatewayRequest, signal: AbortSignal): Promise<HttpOutcome> {
    try {
      requireAllowed(this.#allowed, url.hostname)
    } catch (error) {
      if (error instanceof ForbiddenAddress) return { kind: 'unreached', error }
      throw error
    }
    const [plain, secure] = this.#agents
    const options = { method, headers: { ...headers, 'accept-encoding': 'identity' } }
    const late = AbortSignal.timeout(this.#answerMs)
    const until = AbortSignal.any([signal, late])
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: secure, signal: until })
        : http.request(url, { ...options, agent: plain, signal: until })
    return await new Promise<HttpOutcome>((resolve) => {
      let isConnected = false
      request.on('socket', (socket) => {
        if (!socket.connecting) isConnected = true
        else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true))
      })
      request.on('error', (error) => {
        if (!isConnected) resolve({ kind: 'unreached', error: late.aborted ? new Error('no reply') : error })
        else resolve({ kind: 'lost', why: late.aborted ? 'slow' : 'cut', status: null })
      })
      let isAnswered = false
      request.on('response', (reply) => {
        isAnswered = true
        if (this.#readsAnswers) void read(reply).then(resolve)
        else {
          const { statusCode: status = 0, headers } = reply
          resolve({ kind: 'replied', status, text: '', retryAfter: headers['retry-after'] })
          reply.destroy()
        }
      })
      request.on('close', () => {
        if (!isAnswered) resolve({ kind: 'lost', why: 'cut', status: null }) // for example after a 101: no other protocol is supported
      })
      request.end(body ?? undefined)
    })
  }
}

async function read(reply: http.IncomingMessage): Promise<HttpOutcome> {
  const { statusCode: status = 0 } = reply
  const { socket } = reply
  const before = socket.bytesRead
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of reply) {
      chunks.push(chunk)
      length += chunk.length
      if (length <= replyBytesMax && socket.bytesRead - before <= wireBytesMax) continue
      reply.destroy()
      return { kind: 'lost', why: 'long', status }
    }
  } catch {
    return { kind: 'lost', why: 'cut', status }
  }
  return { kind: 'replied', status, text: Buffer.concat(chunks).toString('utf8') }
}
