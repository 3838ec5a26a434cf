import type { SmppSettings } from '../driver.ts'
import { words } from '../words.ts'
import { Link, type Late, type LinkEvents, type Reply, type Role, type Times } from './link.ts'

const firstWaitMs = 500
const waitMsMax = 60_000
/** A login that lasted this long resets the delay of the next one. */
const provenMs = 10_000

/** Reconnects when its connection breaks: after half a second, then twice as long each time. */
export class ReconnectingLink {
  readonly #make: () => Link
  readonly #events: LinkEvents
  #link: Link | null = null
  #boundAt: number | null = null
  #waitMs = firstWaitMs
  #timer: NodeJS.Timeout | null = null
  #paused = false
  #closed = false

  constructor(settings: SmppSettings, role: Role, events: LinkEvents, times: Times) {
    this.#events = events
    const of: LinkEvents = {
      ...events,
      bound: () => {
        this.#boundAt = performance.now()
        events.bound()
      },
      ended: (reason) => this.#again(reason),
    }
    this.#make = () => new Link(settings, role, of, times)
    this.#connect()
  }

  get bound(): boolean {
    return this.#link?.bound === true
  }

  /** 'unsent' when there is no connection. */
  async request(
    command: string,
    fields: Readonly<Record<string, unknown>>,
    late: Late,
  ): Promise<Reply | { kind: 'unsent'; reason: string }> {
    const link = this.#link
    return link?.bound ? await link.request(command, fields, { late }) : { kind: 'unsent', reason: words.lost }
  }

  pause(wanted: boolean): void {
    this.#paused = wanted
    this.#link?.pause(wanted)
  }

  async close(reason: string): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#link?.close(reason)
  }

  #connect(): void {
    this.#link = this.#make()
    this.#link.pause(this.#paused)
  }

  #again(reason: string): void {
    if (this.#boundAt !== null && performance.now() - this.#boundAt > provenMs) this.#waitMs = firstWaitMs
    this.#boundAt = null
    this.#link = null
    this.#events.ended(reason)
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#connect(), this.#waitMs)
    this.#waitMs = Math.min(waitMsMax, this.#waitMs * 2)
  }
}
