import { setTimeout as sleep } from 'node:timers/promises'
import type { DialerAddress, DialerEvent } from '../../driver.ts'
import type { DialerClock } from './dialer-clock.ts'
import { EventSocket } from './event-socket.ts'
import { type AriHttp } from './http.ts'
import { type AriEvent, eventTypes, Info, Pong } from './messages.ts'
import { Owned } from './owner.ts'
import { messageOf } from '../../../../lib/error-code.ts'
import { everyMultiple } from '../../../../lib/every-multiple.ts'

const connectDeadlineMs = 5000
const pingEveryMs = 5000
const pongWithinMs = 2000
/** The first that proves a password by SHA-256. */
const versionMin = { major: 22, minor: 2 }
const forgotten = 'Asterisk does not know our application any more'
const forgottenWaitMs = 100

/** Without the events about the link itself. */
export type ChannelAriEvent = Exclude<AriEvent, { type: 'ApplicationReplaced' }>

export type LinkListener = {
  /** Asterisk answers, and nothing was changed yet. Rejects with Owned when another installation owns the dialer. */
  found(): Promise<void>
  event(event: ChannelAriEvent): void
  /** The socket is open: find out what lives before events are reported. `restarted`: nothing survived. */
  opened(restarted: boolean): Promise<void>
  emit(event: DialerEvent): void
}

/**
 * - up
 * - down: reconnects by itself after 0.1 s, later up to 5 s
 * - over: closed or replaced, for good
 */
export class Link {
  readonly #address: DialerAddress
  readonly #app: string
  readonly #http: AriHttp
  readonly #clock: DialerClock
  readonly #listener: LinkListener
  #socket: EventSocket | null = null
  #stopPinging: () => void = () => undefined
  #isAsking = false
  #isUp = false
  #over: string | null = null
  #upSince = 0
  #attempt = 0
  #giveUp: (reason: string) => void = () => undefined

  constructor(address: DialerAddress, app: string, http: AriHttp, clock: DialerClock, listener: LinkListener) {
    this.#address = address
    this.#app = app
    this.#http = http
    this.#clock = clock
    this.#listener = listener
  }

  /** Why no request is possible; null when it is. */
  get unavailableReason(): string | null {
    if (this.#over) return this.#over
    return this.#isUp ? null : 'Asterisk is not connected'
  }

  async open(): Promise<void> {
    const attempt = (this.#attempt += 1)
    const timer = setTimeout(() => {
      if (this.#attempt === attempt && !this.#isUp) this.#giveUp(`no answer in ${connectDeadlineMs} ms`)
    }, connectDeadlineMs)
    const givenUp = new Promise<never>((_, reject) => (this.#giveUp = (reason) => reject(new Error(reason))))
    try {
      await Promise.race([this.#open(attempt), givenUp])
    } catch (error) {
      this.#attempt += 1 // what it was doing is obsolete
      this.#socket?.end(messageOf(error))
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #open(attempt: number): Promise<void> {
    const { system, status } = Info.parse(await this.#http.ari('GET', '/asterisk/info'))
    refuseOld(system.version)
    await this.#listener.found()
    const { event } = this.#listener
    const socket = await EventSocket.open(this.#address, this.#app, connectDeadlineMs, {
      event: (one) => (one.type === 'ApplicationReplaced' ? this.#replaced() : event(one)),
      closed: (reason) => this.#closed(socket, reason),
    })
    if (this.#attempt !== attempt || this.#over) {
      socket.end('given up')
      return
    }
    this.#socket = socket
    if (!(await this.#subscribe())) {
      this.#socket = null
      socket.end(forgotten)
      await sleep(forgottenWaitMs)
      return this.#attempt === attempt ? this.#open(attempt) : undefined
    }
    await this.#ping()
    const restarted = this.#upSince !== status.startup_time
    await this.#listener.opened(restarted)
    if (this.#attempt !== attempt) return
    if (this.#over || this.#socket !== socket) throw new Error(this.#over ?? 'Asterisk closed the connection')
    this.#upSince = status.startup_time
    this.#isUp = true
    this.#stopPinging = everyMultiple(pingEveryMs, () => void this.#watch(socket))
  }

  /** False when Asterisk does not know our application: while cleaning up the last socket it also removed the new one's application. */
  async #subscribe(): Promise<boolean> {
    const allowed = eventTypes.map((type) => ({ type }))
    const done = await Promise.all([
      this.#http.did('PUT', `/applications/${this.#app}/eventFilter`, { body: { allowed } }),
      // all channels from their beginning: while being dialled, a channel is not in the application yet
      this.#http.did('POST', `/applications/${this.#app}/subscription`, { query: { eventSource: 'channel:' } }),
    ])
    return done.every(Boolean)
  }

  async #isKnown(): Promise<void> {
    if (!(await this.#http.did('GET', `/applications/${this.#app}`, { deadlineMs: pongWithinMs })))
      throw new Error(forgotten)
  }

  close(why = 'the connection is closed'): void {
    this.#over ??= why
    this.#isUp = false
    this.#stopPinging()
    this.#socket?.end(this.#over)
    this.#http.cut()
  }

  #replaced(): void {
    if (this.#over) return
    this.close('another client took the dialer over')
    this.#listener.emit({ type: 'replaced', at: Date.now() })
  }

  #closed(socket: EventSocket, reason: string): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#stopPinging()
    const wasUp = this.#isUp
    this.#isUp = false
    if (this.#over || !wasUp) return
    this.#listener.emit({ type: 'lost', at: Date.now(), reason })
    void this.#comeBack()
  }

  async #comeBack(): Promise<void> {
    for (let waitMs = 100; !this.#over; waitMs = Math.min(5000, waitMs * 2)) {
      await sleep(waitMs * (0.5 + Math.random() / 2))
      if (this.#over) return
      const opened = await this.open().then(
        () => true,
        (error: unknown) => {
          if (error instanceof Owned) this.#replaced()
          return false
        },
      )
      if (!opened) continue
      this.#listener.emit({ type: 'restored', at: Date.now() })
      return
    }
  }

  async #ping(): Promise<void> {
    const asked = Date.now()
    const { timestamp } = Pong.parse(await this.#http.ari('GET', '/asterisk/ping', { deadlineMs: pongWithinMs }))
    this.#clock.add(asked, timestamp, Date.now())
    this.#http.reach(this.#clock.roundTripMs)
  }

  /** Called when a call got no answer: whether the dialer is lost is asked now and not at the next ping, so that other dialers take over soon. */
  doubt(): void {
    if (this.#isUp && this.#socket) void this.#watch(this.#socket)
  }

  /** A cut cable closes nothing, whatever TCP promises; nor does Asterisk when it drops the application. */
  async #watch(socket: EventSocket): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      await Promise.all([this.#ping(), socket.ping(pongWithinMs), this.#isKnown()])
    } catch (error) {
      if (this.#socket !== socket) return
      this.#http.cut()
      socket.end(messageOf(error))
    } finally {
      this.#isAsking = false
    }
  }
}

function refuseOld(version: string): void {
  const [, major, minor] = /(\d{1,9})\.(\d{1,9})/.exec(version) ?? []
  const ahead = Number(major) - versionMin.major || Number(minor) - versionMin.minor
  if (!(ahead >= 0))
    throw new Error(`it is Asterisk ${version}, but ${versionMin.major}.${versionMin.minor} or newer is needed`)
}
