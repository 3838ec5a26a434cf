import * as http from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { DialerAddress } from '../../driver.ts'
import { agentFor } from './agents.ts'
import { requestsInFlight } from './requests-in-flight.ts'
import { messageOf } from '../../../../lib/error-code.ts'

export class AriError extends Error {
  readonly status: number
  constructor(what: string, status: number, message: string) {
    super(`${what}: ${status} ${message}`)
    this.status = status
  }
}

/** Asterisk did not answer. `left`: the request may have been carried out. */
export class AriSilence extends Error {
  readonly left: boolean
  constructor(message: string, left: boolean) {
    super(message)
    this.left = left
  }
}

/** For what a call can do without. */
export function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AriError)) throw error
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
/** Each lane has its own sockets, so that a slow recording, or ten thousand sounds, delay neither calls nor settling. */
type Lane = 'calls' | 'recordings' | 'record' | 'sounds'
export type AriRequest = {
  query?: Record<string, string>
  body?: unknown
  cookie?: string
  /** Until the whole answer is here, including the wait for a socket. */
  deadlineMs?: number
  lane?: Lane
}
type Sent = { response: http.IncomingMessage; what: string }

const near = requestsInFlight(null)
const sockets: Record<Lane, number> = { calls: near.sockets, recordings: 1, record: 1, sounds: near.soundSockets }
const defaultDeadlineMs = 5000
/** Includes the wait behind other recordings. */
const streamBeginsMs = 120_000
const streamIdleMs = 15_000

/** One dialer's HTTP side: ARI below /ari, and AMI below /rawman. */
export class AriHttp {
  readonly #address: DialerAddress
  readonly #agents: Record<Lane, http.Agent>

  constructor(address: DialerAddress) {
    this.#address = address
    this.#agents = {
      calls: agentFor(address, sockets.calls),
      recordings: agentFor(address, sockets.recordings),
      record: agentFor(address, sockets.record),
      sounds: agentFor(address, sockets.sounds),
    }
  }

  /** Opens as many sockets for calls, and for sounds, as the round trip requires. */
  reach(roundTripMs: number | null): void {
    const { sockets, soundSockets } = requestsInFlight(roundTripMs)
    this.#agents.calls.maxSockets = sockets
    this.#agents.sounds.maxSockets = soundSockets
  }

  /** How many sounds the dialer may fetch at once: during each fetch, others are requested. */
  get soundsAtOnce(): number {
    return 4 * this.#agents.sounds.maxSockets
  }

  /** The answer's JSON; null when it is empty. */
  async ari(method: Method, path: string, request: AriRequest = {}): Promise<unknown> {
    const text = await this.#text(method, `/ari${path}`, request)
    return text === '' ? null : JSON.parse(text)
  }

  /** For requests whose answer does not matter. */
  async send(method: Method, path: string, request: AriRequest = {}): Promise<void> {
    await this.#text(method, `/ari${path}`, request)
  }

  /** False when the object of the request no longer exists. */
  async did(method: Method, path: string, request: AriRequest = {}): Promise<boolean> {
    try {
      await this.send(method, path, request)
      return true
    } catch (error) {
      if (error instanceof AriError && error.status === 404) return false
      throw error
    }
  }

  async text(path: string, request: AriRequest = {}): Promise<string> {
    return this.#text('GET', path, request)
  }

  /** Null when the file does not exist or has more than `bytesMax`. */
  async bytes(path: string, bytesMax: number, request: AriRequest): Promise<Buffer | null> {
    const { response, what } = await this.#sendSafely('GET', path, request)
    const size = Number(response.headers['content-length'])
    if (response.statusCode === 404 || size > bytesMax) {
      response.destroy()
      return null
    }
    if (response.statusCode !== 200) throw new AriError(what, response.statusCode ?? 0, await textOf(response))
    return await buffer(response).catch((error: unknown) => {
      throw new AriSilence(`${what}: ${messageOf(error)}`, true)
    })
  }

  /** The answer as a stream. It may take any time, but `idleMs` without a byte end it. */
  async stream(path: string, idleMs = streamIdleMs): Promise<http.IncomingMessage> {
    const request = { deadlineMs: streamBeginsMs, lane: 'recordings' } as const
    const { response, what } = await this.#sendSafely('GET', `/ari${path}`, request, idleMs)
    if (response.statusCode === 200) return response
    throw new AriError(what, response.statusCode ?? 0, await textOf(response))
  }

  async cookie(path: string): Promise<string> {
    const { response } = await this.#send('GET', path, {})
    await textOf(response)
    return (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
  }

  /** The lane's next request opens a new socket. Fails its open ones. */
  renew(lane: Lane): void {
    this.#agents[lane].destroy()
  }

  /** Fails all open requests. The next one opens new sockets. */
  cut(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  async #text(method: Method, path: string, request: AriRequest): Promise<string> {
    const { response, what } = await this.#sendSafely(method, path, request)
    const text = await textOf(response).catch((error: unknown) => {
      throw new AriSilence(`${what}: ${messageOf(error)}`, true)
    })
    const status = response.statusCode ?? 0
    if (status >= 300) throw new AriError(what, status, replyText(text))
    return text
  }

  /** A socket that Asterisk closed while idle fails at its next use, so requests that may be repeated are. */
  async #sendSafely(...sending: [Method, string, AriRequest, number?]): Promise<Sent> {
    try {
      return await this.#send(...sending)
    } catch (error) {
      if (sending[0] === 'POST' || !(error instanceof StaleSocket)) throw error
      return this.#send(...sending)
    }
  }

  /** `idleMs`: the longest pause between pieces of the answer. */
  #send(method: Method, path: string, request: AriRequest, idleMs?: number): Promise<Sent> {
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
        agent: this.#agents[request.lane ?? 'calls'],
        protocol: certificate === null ? 'http:' : 'https:',
        host,
        port,
        method,
        path: path + search,
        auth: `${user}:${secret}`,
        headers,
      })
      let left = false
      const timer = setTimeout(() => {
        const late = `no answer in ${deadlineMs} ms`
        reject(new AriSilence(`${what}: ${late}`, left)) // destroying a request that waits for a socket emits nothing
        sent.destroy(new Error(late))
      }, deadlineMs)
      sent.on('finish', () => (left = true))
      sent.on('response', (response) => {
        if (idleMs === undefined) response.on('close', () => clearTimeout(timer))
        else {
          clearTimeout(timer)
          sent.setTimeout(idleMs, () => response.destroy(new Error(`${what}: nothing came for ${idleMs} ms`)))
        }
        resolve({ response, what })
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer)
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET'
        const words = `${what}: ${messageOf(error)}`
        reject(isStale ? new StaleSocket(words, left) : new AriSilence(words, left && error.code !== 'ECONNREFUSED'))
      })
      sent.end(payload)
    })
  }
}

class StaleSocket extends AriSilence {}

/** The longest are the dialer's records of channels: an hour of the fastest dialer. A text much longer would end the process. */
const lettersMax = 400_000_000

/** Rejects when the answer ends too early. Uses listeners: an iterator over the stream would cost as much as the rest of the request. */
function textOf(response: http.IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      if (text.length + piece.length > lettersMax) response.destroy(new Error('the answer is too long'))
      else text += piece
    })
    response.on('end', () => resolve(text))
    response.on('error', reject)
    response.on('close', () => reject(new Error('the answer was cut'))) // no effect after its end
  })
}

function replyText(text: string): string {
  return /"(?:message|error)":\s*"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200)
}
