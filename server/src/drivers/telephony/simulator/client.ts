import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type * as z from 'zod/mini'
import {
  type DialerAddress,
  type DialerConnection,
  type DialerEvent,
  TelephonyError,
  type TelephonyDriver,
} from '../driver.ts'
import { type Link, LinkError, SimulatorConnection } from './connection.ts'
import { Frame, type InputOf, type OperationName, replacedCode, type ReplyOf, schemasOf } from './protocol.ts'
import type { SimulatorControl } from './simulator.ts'
import { messageOf } from '../../../lib/error-code.ts'
import { everyMultiple } from '../../../lib/every-multiple.ts'

const connectDeadlineMs = 5000
const pingEveryMs = 5000
const pongWithinMs = 2000

/** The driver for a simulator in a process of its own, at the dialer's host and port. */
export function createSimulatorClient(): TelephonyDriver {
  return {
    name: 'simulator',
    async connect(dialer): Promise<DialerConnection> {
      return new SimulatorConnection(await connectLink(dialer, 'dialer'))
    },
  }
}

export async function connectControl(
  dialer: Pick<DialerAddress, 'host' | 'port'>,
): Promise<SimulatorControl & { close(): Promise<void> }> {
  const link = await connectLink(dialer, 'control')
  return {
    async setTrunkFault(trunk, fault, host) {
      await link.request('setTrunkFault', { trunk, fault, host }, pingEveryMs)
    },
    async setTrunkLimit(trunk, limit) {
      await link.request('setTrunkLimit', { trunk, limit }, pingEveryMs)
    },
    async setTrunkFlaw(trunk, flaw) {
      await link.request('setTrunkFlaw', { trunk, flaw }, pingEveryMs)
    },
    transcript: (channelId) => link.request('transcript', { channelId }, pingEveryMs),
    close: () => link.close(),
  }
}

async function connectLink(
  { host, port }: Pick<DialerAddress, 'host' | 'port'>,
  path: 'dialer' | 'control',
): Promise<SocketLink> {
  const link = new SocketLink(`ws://${host}:${port}/${path}`)
  try {
    await link.open()
  } catch (error) {
    await link.close()
    throw new TelephonyError(`no simulator at ${host}:${port}: ${messageOf(error)}`)
  }
  return link
}

type Waiting = {
  name: OperationName
  resolve: (reply: unknown) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/**
 * A socket that reconnects by itself (after 0.1 s, later up to 5 s) until it is closed or replaced.
 * - opening: no hello yet
 * - open
 * - over: closed or replaced, for good
 */
class SocketLink implements Link {
  speed = 1
  readonly #url: string
  #socket: WebSocket | null = null
  #over: string | null = null
  #isOpen = false
  #requestId = 0
  readonly #waiting = new Map<number, Waiting>()
  #leaving: { id: number; name: OperationName; input: unknown }[] = []
  #listener: ((events: DialerEvent[]) => void) | null = null
  /** Events from before there was a listener. */
  #unheard: DialerEvent[] = []

  constructor(url: string) {
    this.#url = url
  }

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(this.#url, { handshakeTimeout: connectDeadlineMs })
      this.#socket = socket
      const stopPinging = everyMultiple(pingEveryMs, () => ping(socket))
      socket.on('error', (error) => {
        reject(error)
        socket.terminate()
      })
      socket.on('message', (data) => {
        const frame = frameOf(String(data))
        if (!frame || this.#over) {
          socket.terminate()
          return
        }
        if ('hello' in frame) {
          this.speed = frame.hello.speed
          this.#isOpen = true
          resolve()
          return
        }
        for (const { id, reply } of frame.replies) this.#settle(id, reply)
        if (frame.events.length > 0) this.#deliver(frame.events)
      })
      socket.on('close', (code) => {
        stopPinging()
        reject(new Error(`closed with ${code}`))
        this.#closed(code)
      })
    })
  }

  request<Name extends OperationName>(name: Name, input: InputOf[Name], deadlineMs: number): Promise<ReplyOf[Name]> {
    return new Promise<unknown>((resolve, reject) => {
      if (!this.#isOpen) {
        reject(new LinkError(this.#over ?? 'the simulator is not connected', false))
        return
      }
      const id = (this.#requestId += 1)
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        reject(new LinkError(`no answer in ${deadlineMs} ms`, true))
        if (this.#socket) ping(this.#socket)
      }, deadlineMs)
      this.#waiting.set(id, { name, resolve, reject, timer })
      if (this.#leaving.push({ id, name, input }) === 1) setImmediate(() => this.#leave())
    }).then((reply) => schemasOf[name].reply.parse(reply))
  }

  onEvents(listener: (events: DialerEvent[]) => void): void {
    this.#listener = listener
    if (this.#unheard.length > 0) this.#deliver([])
  }

  async close(): Promise<void> {
    this.#over ??= 'the connection is closed'
    this.#isOpen = false
    const socket = this.#socket
    if (!socket || socket.readyState === WebSocket.CLOSED) return
    await new Promise<void>((resolve) => {
      socket.once('close', () => resolve())
      socket.close()
      setTimeout(() => socket.terminate(), pongWithinMs).unref()
    })
  }

  #leave(): void {
    const leaving = this.#leaving
    this.#leaving = []
    if (this.#isOpen) this.#socket?.send(JSON.stringify(leaving))
    else for (const { id } of leaving) this.#fail(id, new LinkError('the connection was lost', false))
  }

  #settle(id: number, reply: unknown): void {
    const waiting = this.#take(id)
    waiting?.resolve(reply)
  }

  #fail(id: number, error: Error): void {
    this.#take(id)?.reject(error)
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(waiting?.timer)
    return waiting
  }

  #deliver(events: DialerEvent[]): void {
    const all = [...this.#unheard, ...events]
    this.#unheard = this.#listener ? [] : all
    this.#listener?.(all)
  }

  #closed(code: number): void {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    const unsent = new Set(this.#leaving.map(({ id }) => id))
    for (const id of this.#waiting.keys()) this.#fail(id, new LinkError('the connection was lost', !unsent.has(id)))
    this.#leaving = []
    if (this.#over || !wasOpen) return
    if (code === replacedCode) {
      this.#over = 'another client took the dialer over'
      this.#deliver([{ type: 'replaced', at: Date.now() }])
      return
    }
    this.#deliver([{ type: 'lost', at: Date.now(), reason: `the socket was closed with ${code}` }])
    void this.#comeBack()
  }

  async #comeBack(): Promise<void> {
    for (let waitMs = 100; !this.#over; waitMs = Math.min(5000, waitMs * 2)) {
      await sleep(waitMs * (0.5 + Math.random() / 2))
      if (this.#over) return
      const opened = await this.open().then(
        () => true,
        () => false,
      )
      if (!opened) continue
      this.#deliver([{ type: 'restored', at: Date.now() }])
      return
    }
  }
}

/** Null for a foreign message, which ends the connection. */
function frameOf(data: string): z.output<typeof Frame> | null {
  try {
    return Frame.parse(JSON.parse(data))
  } catch {
    return null
  }
}

const pinged = new WeakSet<WebSocket>()

/** Ends the socket of a peer that does not answer, whatever TCP says. */
function ping(socket: WebSocket): void {
  if (socket.readyState !== WebSocket.OPEN || pinged.has(socket)) return
  pinged.add(socket)
  const timer = setTimeout(() => socket.terminate(), pongWithinMs).unref()
  socket.once('pong', () => {
    clearTimeout(timer)
    pinged.delete(socket)
  })
  socket.ping()
}
