import type { AriHttp } from './http.ts'
import type { ChannelAriEvent } from './link.ts'
import { Pong, type AriChannel } from './messages.ts'
import { makeOwnChannel } from './own-channel.ts'
import { everyMultiple } from '../../../../lib/every-multiple.ts'

const againEveryMs = 5000
/** How long a server that was asked to shut down may be away. */
const restartMs = 25_000

/** A client is about to connect: the dialer waits for it as if the last one had left so much later than at this moment. */
export async function announce(app: string, http: AriHttp, laterMs = 0): Promise<void> {
  const { timestamp } = Pong.parse(await http.ari('GET', '/asterisk/ping'))
  const query = { variable: `GHANTI_COMES_${app}`, value: String(timestamp + laterMs) }
  await http.send('POST', '/asterisk/variable', { query })
}

/**
 * Keeps a channel on the dialer that notices when no client of the application is connected any more, and then ends its calls (ghanti-watch in
 * telephony/etc/dialer/extensions.conf). It outlives the client, as it must. Its name is unique, so of several clients one makes it.
 */
export class ServerWatch {
  readonly #http: AriHttp
  readonly #app: string
  /** Both ends of the channel. */
  readonly #ids: readonly [string, string]
  #stop: () => void = () => undefined

  constructor(app: string, http: AriHttp) {
    this.#app = app
    this.#http = http
    this.#ids = [`${app}-watch`, `${app}-watch-2`]
  }

  /** Whether the event is of its channel, which is no call. */
  isOf(event: ChannelAriEvent): boolean {
    const channel = 'peer' in event ? event.peer : 'channel' in event ? event.channel : null
    return channel !== null && this.#ids.includes(channel.id)
  }

  without(channels: readonly AriChannel[]): AriChannel[] {
    return channels.filter(({ id }) => !this.#ids.includes(id))
  }

  /** A client is connected at this moment: there must be such a channel from now on. It ends by itself when it has ended all calls. */
  async begin(now: number): Promise<void> {
    this.pause()
    await Promise.all([this.#set('SEEN', String(Math.round(now))), this.#set('COMES', ''), this.#make()])
    this.#stop = everyMultiple(againEveryMs, () => void this.#make().catch(() => undefined))
  }

  /** How long calls wait for a client, and what they hear then; a dialer's own settings come first. A name that the dialplan would take apart is left out. */
  async setFarewell(waitMs: number, uris: readonly string[]): Promise<void> {
    const sounds = uris.map((uri) => uri.replace(/^sound:/, '')).filter((sound) => !/[,&|]/.test(sound))
    await Promise.all([this.#set('WAITS', String(Math.ceil(waitMs / 1000))), this.#set('SORRY', sounds.join('&'))])
  }

  /** The client is away, and cannot make one. */
  pause(): void {
    this.#stop()
  }

  /** The client leaves. Where calls are left, the next one may take as long as a restart. */
  async end(isIdle: () => Promise<boolean>): Promise<void> {
    this.pause()
    if (await isIdle()) await this.#http.did('DELETE', `/channels/${this.#ids[0]}`)
    else await announce(this.#app, this.#http, restartMs)
  }

  async #set(name: string, value: string): Promise<void> {
    await this.#http.send('POST', '/asterisk/variable', { query: { variable: `GHANTI_${name}_${this.#app}`, value } })
  }

  async #make(): Promise<void> {
    const [channelId, otherChannelId] = this.#ids
    const query = { endpoint: 'Local/s@ghanti-watch', otherChannelId, timeout: '-1' }
    await makeOwnChannel(this.#http, channelId, { query, variables: { __GHANTI_APP: this.#app } })
  }
}
