import { type RawData, WebSocket } from 'ws'
import type { DialerAddress } from '../../driver.ts'
import { agentFor } from './agents.ts'
import { type AriEvent, eventOf } from './messages.ts'
import { messageOf } from '../../../../lib/error-code.ts'

/** A longer event closes the socket, like one that cannot be read. Usual ones have two thousand bytes. */
const eventBytesMax = 1024 * 1024

/** Asterisk's events, until the socket closes. A message that cannot be read closes it, so that nothing is skipped silently. */
export class EventSocket {
  readonly #socket: WebSocket
  #reason = 'Asterisk closed the connection'

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static open(
    address: DialerAddress,
    app: string,
    deadlineMs: number,
    listener: { event: (event: AriEvent) => void; closed: (reason: string) => void },
  ): Promise<EventSocket> {
    const { host, port, user, secret, certificate } = address
    const query = new URLSearchParams({ app, subscribeAll: 'false' }).toString()
    const place = host.includes(':') ? `[${host}]` : host
    const socket = new WebSocket(`${certificate === null ? 'ws' : 'wss'}://${place}:${port}/ari/events?${query}`, {
      agent: agentFor(address, 1),
      handshakeTimeout: deadlineMs,
      auth: `${user}:${secret}`,
      perMessageDeflate: false,
      maxPayload: eventBytesMax,
    })
    const opened = new EventSocket(socket)
    return new Promise((resolve, reject) => {
      let isOpen = false
      socket.on('open', () => {
        isOpen = true
        resolve(opened)
      })
      socket.on('error', (error) => {
        reject(error)
        opened.end(error.message)
      })
      socket.on('message', (data) => {
        const event = opened.#parse(data)
        if (event) listener.event(event)
      })
      socket.on('close', () => {
        reject(new Error(opened.#reason))
        if (isOpen) listener.closed(opened.#reason)
      })
    })
  }

  /** Rejects without a pong in time: the path of an idle socket may be closed although Asterisk answers elsewhere. */
  ping(withinMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const pong = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#socket.off('pong', pong)
        reject(new Error(`its events were not heard of for ${withinMs} ms`))
      }, withinMs)
      this.#socket.once('pong', pong)
      if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
    })
  }

  /** Closes at once, without waiting for Asterisk. */
  end(reason: string): void {
    this.#reason = reason
    this.#socket.terminate()
  }

  #parse(data: RawData): AriEvent | null {
    try {
      return eventOf(String(data))
    } catch (error) {
      this.end(`an event that cannot be read: ${messageOf(error)}`)
      return null
    }
  }
}
