import type { DialerAddress } from '../../driver.ts'
import type { AriHttp } from './http.ts'

type Message = Map<string, string>

/** Asterisk's other interface, on the same port, for what ARI does not report about trunks. Its answers contain passwords. */
export class Ami {
  readonly #http: AriHttp
  readonly #address: DialerAddress
  #cookie: string | null = null

  constructor(http: AriHttp, address: DialerAddress) {
    this.#http = http
    this.#address = address
  }

  /** Null when it is switched off on the dialer. */
  async ask(action: string, parameters: Record<string, string> = {}): Promise<Message[] | null> {
    const first = await this.#asked(action, parameters)
    if (isAllowed(first)) return first
    const { user, secret } = this.#address
    const login = new URLSearchParams({ action: 'Login', username: user, secret }).toString()
    this.#cookie = await this.#http.cookie(`/rawman?${login}`)
    const second = await this.#asked(action, parameters)
    return isAllowed(second) ? second : null
  }

  async #asked(action: string, parameters: Record<string, string>): Promise<Message[]> {
    if (this.#cookie === null) return []
    return messagesIn(await this.#http.text('/rawman', { query: { action, ...parameters }, cookie: this.#cookie }))
  }
}

function isAllowed([answer]: readonly Message[]): boolean {
  return answer !== undefined && !/denied|authentication required/i.test(answer.get('Message') ?? '')
}

function messagesIn(text: string): Message[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((block) => {
      const fields = block.split(/\r?\n/).map((line) => [line, line.indexOf(':')] as const)
      return new Map(
        fields
          .filter(([, colon]) => colon > 0)
          .map(([line, colon]) => [line.slice(0, colon), line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))]),
      )
    })
    .filter((message) => message.size > 0)
}
