import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream } from './types.ts'

/** Longer than any proxy's patience would be wrong: a comment line keeps the connection and finds dead ones. */
const heartbeatMs = 20_000

/** The open streams of one server. `app.close()` waits for open connections for ever, so they are ended first. */
export class EventStreams {
  #open = new Set<EventStream>()

  /** Takes the reply over. `stillAllowed` is asked with each heartbeat: an ended session ends its streams. */
  open(request: FastifyRequest, reply: FastifyReply, stillAllowed: () => Promise<boolean>): EventStream {
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
      send: (event, data) => void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    }
    const heartbeat = setInterval(() => {
      response.write(':\n\n')
      stillAllowed().then(
        (allowed) => allowed || response.end(),
        () => response.end(),
      )
    }, heartbeatMs)
    this.#open.add(stream)
    response.on('close', () => {
      clearInterval(heartbeat)
      this.#open.delete(stream)
    })
    response.on('error', () => response.destroy())
    return stream
  }

  endAll(): void {
    for (const stream of this.#open) stream.response.end()
  }
}
