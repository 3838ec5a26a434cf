import * as http from 'node:http'
import type { DialerAddress } from '../driver.ts'
import { agentFor } from './agents.ts'

/** Asterisk said no. */
export class AriError extends Error {
  readonly status: number
  constructor(what: string, status: number, message: string) {
    super(`${what}: ${status} ${message}`)
    this.status = status
  }
}

/** Asterisk said nothing. `left`: it may have been carried out. */
export class AriSilence extends Error {
  readonly left: boolean
  constructor(message: string, left: boolean) {
    super(message)
    this.left = left
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type AriRequest = { query?: Record<string, string>; body?: unknown; cookie?: string; deadlineMs?: number }
type Sent = { response: http.IncomingMessage; what: string }

const sockets = 4
const defaultDeadlineMs = 5000
const streamDeadlineMs = 120_000

/** One dialer's HTTP side: ARI below /ari, and AMI below /rawman. */
export class AriHttp {
  readonly #address: DialerAddress
  readonly #agent: http.Agent

  constructor(address: DialerAddress) {
    this.#address = address
    this.#agent = agentFor(address, sockets)
  }

  /** Its answer's JSON; null when that is empty. */
  async ari(method: Method, path: string, request: AriRequest = {}): Promise<unknown> {
    const text = await this.#text(method, `/ari${path}`, request)
    return text === '' ? null : JSON.parse(text)
  }

  /** The same, but false when what it is about is gone. */
  async did(method: Method, path: string, request: AriRequest = {}): Promise<boolean> {
    try {
      await this.ari(method, path, request)
      return true
    } catch (error) {
      if (error instanceof AriError && error.status === 404) return false
      throw error
    }
  }

  async text(path: string, request: AriRequest = {}): Promise<string> {
    return this.#text('GET', path, request)
  }

  /** The answer while it arrives. */
  async stream(path: string): Promise<http.IncomingMessage> {
    const { response, what } = await this.#send('GET', `/ari${path}`, { deadlineMs: streamDeadlineMs })
    if (response.statusCode === 200) return response
    throw new AriError(what, response.statusCode ?? 0, await textOf(response))
  }

  /** Of a reply which sets one. */
  async cookie(path: string): Promise<string> {
    const { response } = await this.#send('GET', path, {})
    await textOf(response)
    return (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
  }

  /** What is under way fails; the next request opens new sockets. */
  cut(): void {
    this.#agent.destroy()
  }

  async #text(method: Method, path: string, request: AriRequest): Promise<string> {
    const { response, what } = await this.#sendSafely(method, path, request)
    const text = await textOf(response).catch((error: unknown) => {
      throw new AriSilence(`${what}: ${wordsOf(error)}`, true)
    })
    const status = response.statusCode ?? 0
    if (status >= 300) throw new AriError(what, status, messageOf(text))
    return text
  }

  /** A socket that Asterisk closed while it lay idle is noticed only by its use: what may be done twice is. */
  async #sendSafely(method: Method, path: string, request: AriRequest): Promise<Sent> {
    try {
      return await this.#send(method, path, request)
    } catch (error) {
      if (method === 'POST' || !(error instanceof StaleSocket)) throw error
      return this.#send(method, path, request)
    }
  }

  #send(method: Method, path: string, request: AriRequest): Promise<Sent> {
    const { host, port, user, secret, certificate } = this.#address
    const search = request.query ? `?${new URLSearchParams(request.query).toString()}` : ''
    const payload = request.body === undefined ? '' : JSON.stringify(request.body)
    const headers: http.OutgoingHttpHeaders = { 'content-length': Buffer.byteLength(payload) }
    if (payload) headers['content-type'] = 'application/json'
    if (request.cookie) headers['cookie'] = request.cookie
    const deadlineMs = request.deadlineMs ?? defaultDeadlineMs
    const what = `${method} ${path}`
    return new Promise((resolve, reject) => {
      const sent = http.request({
        agent: this.#agent,
        protocol: certificate === null ? 'http:' : 'https:',
        host,
        port,
        method,
        path: path + search,
        auth: `${user}:${secret}`,
        headers,
      })
      let left = false
      const timer = setTimeout(() => sent.destroy(new Error(`no answer in ${deadlineMs} ms`)), deadlineMs)
      sent.on('finish', () => (left = true))
      sent.on('response', (response) => {
        response.on('close', () => clearTimeout(timer))
        resolve({ response, what })
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer)
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET'
        const words = `${what}: ${wordsOf(error)}`
        reject(isStale ? new StaleSocket(words, left) : new AriSilence(words, left && error.code !== 'ECONNREFUSED'))
      })
      sent.end(payload)
    })
  }
}

class StaleSocket extends AriSilence {}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

function messageOf(text: string): string {
  return /"(?:message|error)":\s*"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200)
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
