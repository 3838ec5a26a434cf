import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { ChannelEvent, HungUp } from '../../driver.ts'
import { EventSocket } from '../ari/event-socket.ts'
import { eventOf } from '../ari/messages.ts'
import { Legs } from './legs.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const creationtime = '2026-11-21T22:33:08.594+0000'
const channelOf = (id: string, state = 'Up') => ({
  id,
  name: `PJSIP/${id}`,
  state,
  creationtime,
  dialplan: { app_name: '', app_data: '' },
})
const said = (type: string, id: string, more: object = {}) =>
  eventOf(JSON.stringify({ type, timestamp: creationtime, channel: channelOf(id), ...more }))

function newLegs() {
  const emitted: ChannelEvent[] = []
  const legs = new Legs({
    emit: (event) => emitted.push(event),
    answered: () => undefined,
    ringing: () => undefined,
    ended: () => undefined,
    judged: (_leg, end) => end,
    replyTo: async () => null,
    gone: () => undefined,
    record: async () => new Map(),
  })
  const take = (type: string, id: string, more?: object): void => {
    const event = said(type, id, more)
    if (!event || event.type === 'ApplicationReplaced') throw new Error(`not an event of a channel: ${type}`)
    legs.take(event)
  }
  return { legs, emitted, take, known: (ids: readonly string[]) => ids.filter((id) => legs.get(id)).length }
}

test('of channels that nobody dialled here and that never say that they end, the newest are remembered, and calls of ours stay', async () => {
  const { legs, take, known } = newLegs()
  legs.expect(
    { channelId: 'ours', trunk: 'NT-1', cli: '', number: '', ringMs: 9000, talkMsMax: 9000, deadlineMs: 1000 },
    1000,
  )
  await legs.compare(
    [
      { ...channelOf('found'), creationtime: 1000 },
      { ...channelOf('ours'), creationtime: 1000 },
    ],
    2000,
  )
  const strangers = Array.from({ length: 20_000 }, (_, no) => `stranger-${no}`)
  for (const id of strangers) take('ChannelDtmfReceived', id, { digit: '1' })
  expect(known(['ours', 'found'])).toBe(2)
  expect(known(strangers)).toBe(5000)
  expect(known(strangers.slice(-5000))).toBe(5000)
})

test.each([
  { why: 'cause', of: { cause: 70_000, tech_cause: 486 }, is: { sipStatus: 486, cause: 17 } },
  { why: 'status', of: { cause: 17, tech_cause: 99_999_999 }, is: { sipStatus: null, cause: 17 } },
  { why: 'status of a fraction', of: { cause: 17, tech_cause: 486.5 }, is: { sipStatus: null, cause: 17 } },
])('an impossible $why of an end is left out, so that the call is settled all the same', async ({ of, is }) => {
  const { legs, emitted, take } = newLegs()
  legs.expect(
    { channelId: 'one', trunk: 'NT-1', cli: '', number: '', ringMs: 9000, talkMsMax: 9000, deadlineMs: 1000 },
    Date.parse('2026-11-21T22:33:08.594Z'),
  )
  take('ChannelHangupRequest', 'one', { ...of, channel: channelOf('one', 'Down') })
  take('ChannelDestroyed', 'one', { cause: 17, channel: channelOf('one', 'Down') })
  await Promise.resolve()
  await new Promise(setImmediate)
  const [end] = emitted.filter((event): event is HungUp => event.type === 'hungUp')
  expect(end).toMatchObject(is)
})

test('an event of many megabytes closes the connection, in words, before it is read', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  cleanUps.push(() => server.close())
  server.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.send(JSON.stringify({ type: 'ChannelDtmfReceived', padding: 'x'.repeat(8 * 1024 * 1024) }))
  })
  const { port } = server.address() as AddressInfo
  const address = { host: '127.0.0.1', port, user: 'u', secret: 's', certificate: null, media: { folder: '/nowhere' } }
  const closed = new Promise<string>((resolve) => {
    void EventSocket.open(address, 'app', 1000, { event: () => undefined, closed: resolve })
  })
  expect(await closed).toBe('Max payload size exceeded')
})
