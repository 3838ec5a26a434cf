import { type DialerOwner, TelephonyError } from '../driver.ts'
import type { AriHttp } from './http.ts'
import { Variable } from './messages.ts'

/** The dialer is somebody else's: nothing there was touched. */
export class Owned extends TelephonyError {}

/**
 * Whose the dialer is, written in a global variable of Asterisk, which a restart of Asterisk empties. Two rows that name one machine, and two
 * installations, would take the events and hang up the calls of each other.
 */
export class OwnerMark {
  readonly #http: AriHttp
  readonly #variable: string
  readonly #owner: DialerOwner | undefined

  constructor(app: string, http: AriHttp, owner: DialerOwner | undefined) {
    this.#http = http
    this.#variable = `${app.toUpperCase()}_OWNER`
    this.#owner = owner
  }

  /** Rejects with Owned. */
  async claim(): Promise<void> {
    if (!this.#owner) return
    this.#refuseOthers(await this.#read())
    await this.#write(textOf(this.#owner))
    this.#refuseOthers(await this.#read()) // of two who come at once the later one has it
  }

  /** Whoever comes next has it. */
  async release(isIdle: () => Promise<boolean>): Promise<void> {
    if (this.#owner && (await isIdle()) && isSame(await this.#read(), this.#owner)) await this.#write('')
  }

  #refuseOthers(mark: string): void {
    if (!this.#owner || mark === '' || isSame(mark, this.#owner)) return
    const [installation, , name = ''] = mark.split('/')
    const whose =
      installation === this.#owner.installation
        ? `this machine is already dialer ${decodeURIComponent(name)} of this installation, under another address`
        : 'this machine belongs to another installation'
    throw new Owned(`${whose}; docs/operating.md says how to release it`)
  }

  async #read(): Promise<string> {
    const query = { variable: this.#variable }
    return Variable.parse(await this.#http.ari('GET', '/asterisk/variable', { query })).value
  }

  async #write(value: string): Promise<void> {
    await this.#http.ari('POST', '/asterisk/variable', { query: { variable: this.#variable, value } })
  }
}

function textOf({ installation, dialerId, name }: DialerOwner): string {
  return `${installation}/${dialerId}/${encodeURIComponent(name)}`
}

function isSame(mark: string, { installation, dialerId }: DialerOwner): boolean {
  return mark.startsWith(`${installation}/${dialerId}/`)
}
