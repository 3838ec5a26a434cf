/** How requests to a dialer and its events are observed, for tests that act at a named moment (engine-process.ts has the names). */
import type { ChannelEvent, DialerConnection, DialerEvent, TelephonyDriver } from '../../drivers/telephony/driver.ts'
import { customerOf } from '../../dispatch/channel-names.ts'
import { happened, sent } from './engine-moments.ts'

function named(what: string, channelId: unknown): string {
  if (customerOf(String(channelId)) !== null) return `agent ${what}`
  return /-d\d+-c$/.test(String(channelId)) ? `detour ${what}` : what
}

function nameOf(event: ChannelEvent): string {
  return 'channelId' in event ? named(event.type, event.channelId) : event.type
}

function watchedLine(line: DialerConnection): DialerConnection {
  const onEvents = (listener: (events: DialerEvent[]) => void) =>
    line.onEvents((events) => {
      for (const event of events) {
        const what =
          'reason' in event || event.type === 'restored' || event.type === 'replaced' ? event.type : nameOf(event)
        happened(`${what} arrives`)
        listener([event])
        happened(`${what} reported`)
      }
    })
  return new Proxy(line, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key)
      if (key === 'onEvents') return onEvents
      if (typeof value !== 'function') return value
      return async (first: unknown, ...more: unknown[]): Promise<unknown> => {
        const channelId = typeof first === 'object' && first && 'channelId' in first ? first.channelId : first
        const what = named(String(key), channelId)
        const reply: Promise<unknown> = value.call(of, first, ...more)
        sent(what)
        const said = await reply
        happened(`${what} done`)
        return said
      }
    },
  })
}

export function watched(driver: TelephonyDriver): TelephonyDriver {
  return { ...driver, connect: async (dialer) => watchedLine(await driver.connect(dialer)) }
}
