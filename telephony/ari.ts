/** The part of ARI needed to ring a number and to watch, for proofs that do not depend on the product's driver. */
import { EventEmitter } from 'node:events'

export type AriAddress = { host: string; port: number; user: string; secret: string }
export type AriEvent = {
  type: string
  channel?: { id: string }
  recording?: { name: string }
  digit?: string
  cause?: number
  tech_cause?: number
}

export class Ari extends EventEmitter<{ event: [AriEvent] }> {
  readonly app: string
  readonly #base: string
  readonly #address: AriAddress
  #socket: WebSocket | null = null

  constructor(address: AriAddress, app: string) {
    super()
    this.setMaxListeners(0)
    this.app = app
    this.#address = address
    this.#base = `${address.host}:${address.port}/ari`
  }

  async connect(): Promise<void> {
    const { user, secret } = this.#address
    const query = new URLSearchParams({ app: this.app, api_key: `${user}:${secret}` })
    const socket = new WebSocket(`ws://${this.#base}/events?${query}`)
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.emit('event', JSON.parse(String(data))))
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error('no WebSocket to ARI')))
    })
  }

  async request(method: string, path: string, query: Record<string, string> = {}, body?: unknown): Promise<Response> {
    const { user, secret } = this.#address
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    const response = await fetch(`http://${this.#base}${path}?${new URLSearchParams(query)}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }

  async wait(test: (event: AriEvent) => boolean, what: string, ms: number): Promise<AriEvent> {
    return new Promise((resolve, reject) => {
      const listener = (event: AriEvent): void => {
        if (!test(event)) return
        off()
        resolve(event)
      }
      const timer = setTimeout(() => {
        off()
        reject(new Error(`no ${what} within ${ms} ms`))
      }, ms)
      const off = (): void => {
        clearTimeout(timer)
        this.off('event', listener)
      }
      this.on('event', listener)
    })
  }

  /** Sets a trunk without a password. */
  async setTrunk(name: string, host: string, port: number): Promise<void> {
    const put = async (type: string, settings: Record<string, string>): Promise<void> => {
      const fields = Object.entries(settings).map(([attribute, value]) => ({ attribute, value }))
      await this.request('PUT', `/asterisk/config/dynamic/res_pjsip/${type}/${name}`, {}, { fields })
    }
    await put('aor', { contact: `sip:${host}:${port}` })
    await put('endpoint', {
      aors: name,
      transport: 'transport-udp',
      context: 'from-trunk',
      disallow: 'all',
      allow: 'alaw,ulaw',
      direct_media: 'no',
      media_address: '127.0.0.1',
      bind_rtp_to_media_address: 'yes',
      rtp_symmetric: 'yes',
    })
  }

  close(): void {
    this.#socket?.close()
  }
}
