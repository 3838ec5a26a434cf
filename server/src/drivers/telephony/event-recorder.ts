import type { DialerConnection, DialerEvent } from './driver.ts'

export class EventRecorder {
  readonly recorded: DialerEvent[] = []
  #waiting: { matches: (event: DialerEvent) => boolean; resolve: (event: DialerEvent) => void }[] = []

  constructor(connection: DialerConnection) {
    connection.onEvents((events) => {
      for (const event of events) {
        this.recorded.push(event)
        this.#waiting = this.#waiting.filter((waiting) => {
          if (!waiting.matches(event)) return true
          waiting.resolve(event)
          return false
        })
      }
    })
  }

  /** The first matching event, past or future. */
  until(matches: (event: DialerEvent) => boolean): Promise<DialerEvent> {
    const past = this.recorded.find(matches)
    if (past) return Promise.resolve(past)
    return new Promise((resolve) => {
      this.#waiting.push({ matches, resolve })
    })
  }

  /** The first event of that type, past or future, on the channel if given. */
  async next<T extends DialerEvent['type']>(type: T, channelId?: string): Promise<Extract<DialerEvent, { type: T }>> {
    const matches = (event: DialerEvent): event is Extract<DialerEvent, { type: T }> =>
      event.type === type && (channelId === undefined || ('channelId' in event && event.channelId === channelId))
    const event = await this.until(matches)
    if (!matches(event)) throw new Error(`not a ${type}`)
    return event
  }

  /** The channel's events in order, as words, without its playbacks. */
  storyOf(channelId: string): string {
    const words = this.recorded.flatMap((event) => {
      if (!('channelId' in event) || event.channelId !== channelId || event.type === 'playbackEnded') return []
      return event.type === 'digit' ? [event.digit] : [event.type]
    })
    return words.join(' ')
  }
}
