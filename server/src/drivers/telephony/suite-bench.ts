import { expect } from 'vitest'
import type { DialerAddress, DialerConnection, DialRequest, Media, TelephonyDriver, Trunk } from './driver.ts'
import { EventRecorder } from './event-recorder.ts'

export type TelephonyFixture = {
  driver: TelephonyDriver
  dialer: DialerAddress
  trunk: Trunk
  /** To an operator who replies nothing at all, not even to OPTIONS. */
  silent: Trunk
  /** Of two hosts: the first refuses all calls with 503, the second is the virtual operator. Neither is asked by OPTIONS. */
  twoHosts: Trunk
  /** Two sounds of half a second to one second, with their files. */
  media: readonly [Media, Media]
  close(): Promise<void>
}

let names = 0
function newChannelId(): string {
  names += 1
  return `suite-${process.pid}-${names}-${Date.now()}`
}

export class Suite {
  readonly #makeFixture: () => Promise<TelephonyFixture>
  #fixture: TelephonyFixture | null = null
  #connection: DialerConnection | null = null
  #events: EventRecorder | null = null

  constructor(makeFixture: () => Promise<TelephonyFixture>) {
    this.#makeFixture = makeFixture
  }

  async open(): Promise<void> {
    this.#fixture = await this.#makeFixture()
  }

  async connect(): Promise<void> {
    this.#connection = await this.fixture.driver.connect(this.fixture.dialer)
    this.#events = new EventRecorder(this.#connection)
    await this.#connection.setTrunks([this.fixture.trunk])
  }

  get fixture(): TelephonyFixture {
    return open(this.#fixture)
  }

  get connection(): DialerConnection {
    return open(this.#connection)
  }

  get events(): EventRecorder {
    return open(this.#events)
  }

  requestTo(suffix: string, request: Partial<DialRequest> = {}): DialRequest {
    return {
      channelId: newChannelId(),
      trunk: this.fixture.trunk.name,
      cli: '015970001',
      number: `+97798410001${suffix}`,
      ringMs: 9000,
      talkMsMax: 13_000,
      deadlineMs: 10_000, // many at once, on a machine that may be busy
      ...request,
    }
  }

  async call(suffix: string, request: Partial<DialRequest> = {}): Promise<string> {
    const asked = this.requestTo(suffix, request)
    expect(await this.connection.dial(asked)).toEqual({ outcome: 'dialled' })
    return asked.channelId
  }

  async answeredCall(suffix: string, request: Partial<DialRequest> = {}): Promise<string> {
    const channelId = await this.call(suffix, request)
    await this.events.next('answered', channelId)
    return channelId
  }
}

function open<T>(value: T | null): T {
  if (value === null) throw new Error('the suite is not open')
  return value
}
