/** An HTTP aggregator for tests. It answers by the number's last two digits, like the simulator's numbers, and reports the rest by callback. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { HttpSettings } from '../driver.ts'
import { fateOf } from '../simulator/numbers.ts'

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
type Callback = (params: Record<string, string>) => Promise<void>

const callbackAfterMs = 20
const againMs = 100

export class TestAggregator {
  readonly host = '127.0.0.1'
  readonly asked: Asked[] = []
  readonly #server: Server
  readonly #throttled = new Set<string>()
  #id = 0xa000_0000
  #closed = false
  /** Gets receipts and messages. When it rejects, they are reported again. */
  callback: Callback = async () => undefined

  private constructor(answer?: (asked: Asked, response: ServerResponse) => void) {
    this.#server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const { method = '', url = '', headers } = request
        const asked = { method, url, headers, body }
        this.asked.push(asked)
        if (answer) answer(asked, response)
        else this.#answer(asked, response)
      })
    })
  }

  static async listen(answer?: (asked: Asked, response: ServerResponse) => void, port = 0): Promise<TestAggregator> {
    const aggregator = new TestAggregator(answer)
    await new Promise<void>((resolve) => aggregator.#server.listen(port, aggregator.host, resolve))
    return aggregator
  }

  get port(): number {
    const address = this.#server.address()
    if (!address || typeof address === 'string') throw new Error('the aggregator does not listen')
    return address.port
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer({ body }: Asked, response: ServerResponse): void {
    const form = new URLSearchParams(body)
    const [to, from] = [form.get('to') ?? '', form.get('from') ?? '']
    const fate = fateOf(to)
    const reply = (status: number, json: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    }
    if (fate.answer === 'never') return
    if (fate.answer === 'cut') return void response.destroy()
    if (fate.answer === 'refused') return reply(400, { response_code: 1007, response: 'Invalid Receiver' })
    if (fate.answer === 'refusedByGateway') return reply(401, { response_code: 1002, response: 'Invalid Token' })
    if (fate.answer === 'throttledOnce' && !this.#throttled.has(to)) {
      this.#throttled.add(to)
      return reply(429, { response: 'slow down' })
    }
    const id = (this.#id += 1).toString(16).toUpperCase()
    const { receipt, receiptComes: comes, writes } = fate
    const shown = comes === 'inSmallLetters' ? id.toLowerCase() : comes === 'inDecimal' ? `${parseInt(id, 16)}` : id
    const fields = receipt && { message_id: shown, status: receipt.state === 'delivered' ? 'DELIVERED' : receipt.state }
    if (fields && comes === 'early') void this.#callBack(fields)
    reply(200, { response_code: 200, data: { id } })
    if (fields && comes !== 'early') setTimeout(() => void this.#callBack(fields), callbackAfterMs)
    if (fields && comes === 'twice') setTimeout(() => void this.#callBack(fields), callbackAfterMs * 2)
    if (writes !== undefined)
      setTimeout(() => void this.#callBack({ sender: to, receiver: from, message: writes }), callbackAfterMs * 2)
  }

  async #callBack(params: Record<string, string>): Promise<void> {
    if (this.#closed) return
    await this.callback(params).catch(() => setTimeout(() => void this.#callBack(params), againMs))
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export function httpSettingsFor(peer: { host: string; port: number }, more: Partial<HttpSettings> = {}): HttpSettings {
  return {
    driver: 'http',
    window: 20,
    tps: 500,
    method: 'POST',
    url: `http://${peer.host}:${peer.port}/sms`,
    headers: {},
    body: 'token={token}&from={from}&to=977{to}&text={text}&id={id}',
    token: 'k3y&=',
    callback: '',
    success: '$.response_code = 200',
    messageId: '$.data.id',
    ...more,
  }
}
