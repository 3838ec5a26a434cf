import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream } from './types.ts'

/** A comment line keeps the connection open, and reveals a dead one. */
const usualHeartbeatMs = 20_000
/** With more unread bytes than this, a stream gets no further event: it is closed, and its client reconnects and reads the lists again. */
export const backlogMax = 1024 * 1024

export const streamsOfSessionMax = 10
export const streamsOfAccountMax = 30
/** The last event of a stream that ends because its account opened newer ones. The console reconnects when the user returns to the tab. */
const replacedEvent = 'replaced'
const endWithinMs = 1000

export type StreamOwner = { accountId: number; session: string }

/** The open streams of one server. End them before `app.close()`, which would otherwise wait for them forever. */
export class EventStreams {
  readonly #open = new Map<EventStream, StreamOwner>()
  readonly #heartbeatMs: number

  constructor({ heartbeatMs = usualHeartbeatMs } = {}) {
    this.#heartbeatMs = heartbeatMs
  }

  /** Takes over the reply. Each heartbeat asks `stillAllowed`, so an ended session ends its streams. */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    owner: StreamOwner,
    stillAllowed: () => Promise<boolean>,
  ): EventStream {
    this.#makeRoom(({ session }) => session === owner.session, streamsOfSessionMax)
    this.#makeRoom(({ accountId }) => accountId === owner.accountId, streamsOfAccountMax)
    const headers = reply.getHeaders()
    reply.hijack()
    const response = reply.raw
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    response.write(':\n\n')
    const stream: EventStream = {
      request: request.raw,
      response,
      send(event, data) {
        if (response.writableLength > backlogMax) response.destroy()
        else response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      },
    }
    // Fires when the peer has taken no byte for so long; Node counts the progress within one long write as well.
    response.setTimeout(2 * this.#heartbeatMs, () => response.destroy())
    const heartbeat = setInterval(() => {
      if (response.writableLength === 0) response.write(':\n\n')
      stillAllowed().then(
        (allowed) => allowed || response.end(),
        () => response.end(),
      )
    }, this.#heartbeatMs)
    this.#open.set(stream, owner)
    response.on('close', () => {
      clearInterval(heartbeat)
      this.#open.delete(stream)
    })
    response.on('error', () => response.destroy())
    return stream
  }

  /** Closes the oldest stream, because the user is looking at the tab just opened. A client that has stopped reading is disconnected. */
  #makeRoom(isTheirs: (owner: StreamOwner) => boolean, max: number): void {
    const theirs = [...this.#open].filter(([, owner]) => isTheirs(owner))
    for (const [stream] of theirs.slice(0, Math.max(0, theirs.length - max + 1))) {
      this.#open.delete(stream)
      stream.send(replacedEvent, {})
      stream.response.end()
      setTimeout(() => stream.response.destroy(), endWithinMs).unref()
    }
  }

  endAll(): void {
    for (const stream of this.#open.keys()) stream.response.end()
  }
}
