import { setTimeout as sleep } from 'node:timers/promises'
import { type DialerOwner, TelephonyError } from '../../driver.ts'
import type { AriHttp } from './http.ts'
import { Variable } from './messages.ts'
import { makeOwnChannel } from './own-channel.ts'

/** The dialer belongs to another installation. Nothing was changed there. */
export class Owned extends TelephonyError {}

/** How long the lock of a killed client lasts. */
const lockSeconds = '5'
const lockedWithinMs = 3000
const lockAgainMs = 50

/**
 * The dialer's owner, in a global variable of Asterisk, which a restart clears. Without it, two rows for one machine, or two installations, would
 * take each other's events and hang up each other's calls.
 */
export class OwnerMark {
  readonly #http: AriHttp
  readonly #app: string
  readonly #variable: string
  readonly #owner: DialerOwner | undefined

  constructor(app: string, http: AriHttp, owner: DialerOwner | undefined) {
    this.#http = http
    this.#app = app
    this.#variable = `${app.toUpperCase()}_OWNER`
    this.#owner = owner
  }

  /** Rejects with Owned. */
  async claim(): Promise<void> {
    const owner = this.#owner
    if (!owner) return
    const mark = await this.#read()
    this.#refuseOthers(mark)
    if (mark === textOf(owner)) return
    await this.#alone(async () => {
      this.#refuseOthers(await this.#read())
      await this.#write(textOf(owner))
    })
  }

  /**
   * Runs under a lock: a channel's name is unique, so of several clients one creates the channel and the others wait. The channel calls nobody,
   * waits in the dialplan, and ends by itself.
   */
  async #alone(run: () => Promise<void>): Promise<void> {
    const channelId = `${this.#app}-owner`
    const query = { endpoint: 'Local/lock@ghanti-watch', timeout: lockSeconds }
    for (const until = performance.now() + lockedWithinMs; ; await sleep(lockAgainMs)) {
      if (await makeOwnChannel(this.#http, channelId, { query })) break
      if (performance.now() > until) throw new TelephonyError('somebody else is just taking this machine over')
    }
    try {
      await run()
    } finally {
      await this.#http.did('DELETE', `/channels/${channelId}`).catch(() => false) // otherwise it ends by itself
    }
  }

  /** Allows the next client to own the dialer, if nothing is alive there. */
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
