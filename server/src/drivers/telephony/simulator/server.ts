import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { ChannelEvent } from '../driver.ts'
import { handlersOf } from './handlers.ts'
import type { Network } from './network.ts'
import { type Handlers, isOperation, type OperationName, replacedCode, Requests, schemasOf } from './protocol.ts'

type Batch = { replies: { id: number; reply: unknown }[]; events: ChannelEvent[] }

/**
 * A network behind a loopback socket, so that calls outlive their engine. The engine uses /dialer: one client, which gets the events until another
 * takes over. /control asks and changes things without taking over.
 */
export async function serveNetwork(
  network: Network,
  port: number,
): Promise<{ port: number; close: () => Promise<void> }> {
  const handlers = handlersOf(network)
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  let holder: WebSocket | null = null
  server.on('connection', (socket, request) => {
    const client = new Client(socket, network, handlers)
    if (request.url === '/control') return
    holder?.close(replacedCode, 'replaced')
    holder = socket
    network.listen((events) => client.send(events))
    socket.on('close', () => {
      if (holder !== socket) return
      holder = null
      network.listen(null)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('the simulator has no port')
  return {
    port: address.port,
    async close() {
      for (const socket of server.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
      network.close()
    },
  }
}

/** One socket. Requests are carried out in order. Replies and events leave in one frame per turn of the event loop, after the record was written. */
class Client {
  readonly #socket: WebSocket
  readonly #network: Network
  readonly #handlers: Handlers
  #batch: Batch = { replies: [], events: [] }
  #leaving = false

  constructor(socket: WebSocket, network: Network, handlers: Handlers) {
    this.#socket = socket
    this.#network = network
    this.#handlers = handlers
    socket.on('error', () => socket.terminate())
    socket.on('message', (data) => this.#take(data))
    socket.send(JSON.stringify({ hello: { speed: network.options.speed } }))
  }

  send(events: readonly ChannelEvent[]): void {
    this.#batch.events.push(...events)
    this.#leaveSoon()
  }

  #take(data: RawData): void {
    try {
      for (const { id, name, input } of Requests.parse(JSON.parse(String(data)))) {
        if (!isOperation(name)) throw new Error(`no operation ${name}`)
        void this.#carryOut(name, input).then(
          (reply) => {
            this.#batch.replies.push({ id, reply })
            this.#leaveSoon()
          },
          () => this.#socket.close(1011, `${name} failed`),
        )
      }
    } catch {
      this.#socket.close(1003, 'not a request')
    }
  }

  async #carryOut<Name extends OperationName>(name: Name, input: unknown): Promise<unknown> {
    return this.#handlers[name](schemasOf[name].input.parse(input))
  }

  #leaveSoon(): void {
    if (this.#leaving) return
    this.#leaving = true
    setImmediate(() => {
      this.#leaving = false
      this.#network.record.flush()
      const batch = this.#batch
      this.#batch = { replies: [], events: [] }
      this.#socket.send(JSON.stringify(batch))
    })
  }
}
