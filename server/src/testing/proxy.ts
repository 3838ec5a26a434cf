import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A network before a dialer or a database that can be slow, stall or be cut. */
export class Proxy {
  /** Requests to the dialer, without their queries: 'POST /ari/channels/create'. */
  readonly requests: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isSilent = false
  #isCut = false
  #isStalled = false
  #lastWord: string | null = null

  private constructor(server: Server) {
    this.#server = server
  }

  /** `delayMs`: in each direction. */
  static async to(target: { host: string; port: number }, delayMs = 0): Promise<Proxy> {
    const server = createServer()
    const proxy = new Proxy(server)
    server.on('connection', (near) => {
      const far = connect(target.port, target.host)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        proxy.#sockets.add(one)
        one.on('data', (bytes) => {
          if (proxy.#isSilent) return
          if (delayMs === 0) other.write(bytes)
          else setTimeout(() => other.write(bytes), delayMs)
          if (one === near) proxy.#note(String(bytes))
          if (one === near && proxy.#lastWord !== null && String(bytes).includes(proxy.#lastWord)) proxy.silence()
        })
        one.on('error', () => one.destroy())
        one.on('close', () => {
          proxy.#sockets.delete(one)
          if (!proxy.#isSilent) setTimeout(() => other.destroy(), delayMs)
        })
      }
      if (proxy.#isStalled) for (const one of [near, far]) one.pause()
      if (proxy.#isCut) near.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    if (!address || typeof address === 'string') throw new Error('the proxy has no port')
    return address.port
  }

  /** From now on nothing passes and nothing closes, as when a cable is pulled. */
  silence(): void {
    this.#isSilent = true
  }

  /** From now on nothing passes until `mend`, when everything arrives, late. */
  stall(): void {
    this.#isStalled = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Goes silent as soon as this request has passed. */
  silenceAfter(text: string): void {
    this.#lastWord = text
  }

  /** Ends all connections, also those that come later. */
  cut(): void {
    this.#isCut = true
    this.#endAll()
  }

  mend(): void {
    const isStalled = this.#isStalled
    this.#isCut = false
    this.#isSilent = false
    this.#isStalled = false
    this.#lastWord = null
    if (isStalled) for (const socket of this.#sockets) socket.resume()
    else this.#endAll()
  }

  async close(): Promise<void> {
    this.#endAll()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #note(text: string): void {
    for (const [, request = ''] of text.matchAll(/^([A-Z]+ [^ ?]+)\S* HTTP\/1.1\r$/gm)) this.requests.push(request)
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
