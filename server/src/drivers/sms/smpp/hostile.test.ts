/** Gateways that are slow, broken or hostile: the process survives, reports what happened, and limits its memory. */
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../clock.ts'
import { RecordedEvents, eventually } from '../testing-events.ts'
import type { SmppSettings, SmsGateway } from '../driver.ts'
import { messageTo } from '../suite.ts'
import { encodePdu, type Pdu } from './codec.ts'
import { usualTimes, type Times } from './link.ts'
import { smppGateways } from './smpp.ts'
import { acceptance, RawPeer, receiptOf } from './testing-peer.ts'
import { settingsFor } from './testing.ts'

type Answer = Parameters<typeof RawPeer.listen>[0]

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function against(answer: Answer, more: { settings?: Partial<SmppSettings>; times?: Partial<Times> } = {}) {
  const peer = await RawPeer.listen(answer)
  ends.push(() => peer.close())
  const recorded = new RecordedEvents()
  const times = { ...usualTimes, closeMs: 100, ...more.times }
  const gateway: SmsGateway = smppGateways(times)(settingsFor(peer, more.settings), recorded, systemClock)
  ends.push(() => gateway.close())
  return { peer, recorded, gateway }
}

async function bound(gateway: SmsGateway): Promise<void> {
  await eventually(() => gateway.state.bound)
}

async function bare(serve: (socket: Socket) => void, times: Partial<Times> = {}): Promise<SmsGateway> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  const settings = settingsFor({ host: '127.0.0.1', port })
  const gateway = smppGateways({ ...usualTimes, ...times })(settings, new RecordedEvents(), systemClock)
  ends.push(async () => {
    await gateway.close()
    server.close()
  })
  return gateway
}

function answersLogin(socket: Socket, status = 0): void {
  socket.once('data', (chunk: Buffer) =>
    socket.write(
      encodePdu('bind_transceiver_resp', { sequence: chunk.readUInt32BE(12), status, system_id: 'HOSTILE' }),
    ),
  )
}

const accepts: Answer = ({ command, sequence }, socket) => {
  if (command === 'submit_sm') socket.write(acceptance(sequence, `id-${sequence}`))
}

describe('answers', () => {
  test('answers that arrive out of order reach their own messages', async () => {
    const waiting: Pdu[] = []
    const answer: Answer = (pdu, socket) => {
      if (pdu.command === 'submit_sm') waiting.push(pdu)
      if (waiting.length < 20) return
      for (const { sequence, fields } of waiting.splice(0).toReversed())
        socket.write(acceptance(sequence, `id-${String(fields?.['destination_addr'])}`))
    }
    const { gateway } = await against(answer)
    await bound(gateway)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const message = messageTo('20')
        expect(await gateway.submit(message)).toEqual({ kind: 'accepted', ids: [`id-${message.to}`] })
      }),
    )
  })

  test('an answer that comes twice, and answers to nothing, are counted and reported', async () => {
    const answer: Answer = ({ command, sequence }, socket) => {
      if (command !== 'submit_sm') return
      socket.write(acceptance(sequence, 'one'))
      socket.write(acceptance(sequence, 'two'))
      socket.write(acceptance(0x7fff_0000, 'never'))
    }
    const { gateway } = await against(answer)
    await bound(gateway)
    expect(await gateway.submit(messageTo('20'))).toEqual({ kind: 'accepted', ids: ['one'] })
    await eventually(() => gateway.state.lastError?.includes('answered 2 times'))
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
  })

  test('an answer of another kind is ignored although its number fits', async () => {
    const answer: Answer = ({ command, sequence }, socket) => {
      if (command === 'submit_sm') socket.write(encodePdu('enquire_link_resp', { sequence }))
    }
    const { gateway } = await against(answer, { times: { answerMs: 500 } })
    await bound(gateway)
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'unknown' })
  })

  test('an acceptance without an id, or with an unreadable body, still counts', async () => {
    const bodies = [Buffer.alloc(0), Buffer.from([0]), Buffer.from('00240000', 'hex')]
    const answer: Answer = ({ command, sequence }, socket) => {
      if (command !== 'submit_sm') return
      const body = bodies.shift() ?? Buffer.alloc(0)
      const header = Buffer.alloc(16)
      header.writeUInt32BE(16 + body.length, 0)
      header.writeUInt32BE(0x8000_0004, 4)
      header.writeUInt32BE(sequence, 12)
      socket.write(Buffer.concat([header, body]))
    }
    const { gateway } = await against(answer)
    await bound(gateway)
    for (let index = 0; index < 3; index += 1) {
      const message = messageTo('20')
      expect(await gateway.submit(message)).toEqual({ kind: 'accepted', ids: [`${message.token}-0`] })
    }
  })

  test('a gateway that throttles for ever gets few messages, because of its rate and the pauses', async () => {
    const answer: Answer = ({ command, sequence }, socket) => {
      if (command === 'submit_sm') socket.write(encodePdu('submit_sm_resp', { sequence, status: 0x58 }))
    }
    const { gateway, peer } = await against(answer, { settings: { tps: 500, window: 10 } })
    await bound(gateway)
    const until = performance.now() + 3000
    const kinds = new Set<string>()
    while (performance.now() < until) kinds.add((await gateway.submit(messageTo('20'))).kind)
    expect([...kinds]).toEqual(['throttled'])
    expect(peer.submits().length).toBeLessThan(10)
  })
})

describe('the connection', () => {
  test('when a gateway cuts at every fifth message, each is accepted, unknown or unsent, and the peer sees none twice', async () => {
    let count = 0
    const answer: Answer = ({ command, sequence }, socket) => {
      if (command !== 'submit_sm') return
      count += 1
      if (count % 5 === 0) socket.destroy()
      else socket.write(acceptance(sequence, `id-${count}`))
    }
    const { gateway, peer } = await against(answer, { settings: { window: 3 } })
    await bound(gateway)
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => gateway.submit(messageTo('20'))))
    await bound(gateway)
    const kinds = outcomes.map(({ kind }) => kind)
    expect(kinds.filter((kind) => !['accepted', 'unknown', 'unsent'].includes(kind))).toEqual([])
    const numbers = peer.submits().map(({ fields }) => fields?.['destination_addr'])
    expect(new Set(numbers).size).toBe(numbers.length)
    const sent = outcomes.filter(({ kind }) => kind !== 'unsent').length
    expect(numbers.length).toBeLessThanOrEqual(sent)
  })

  test.each([
    ['the password is wrong', 0x0e],
    ['there is no such login', 0x0f],
    ['no reason was given', 0x4ff],
  ])('a refused login is reported in words: %s', async (why, status) => {
    const gateway = await bare((socket) => answersLogin(socket, status))
    await eventually(() => gateway.state.lastError?.includes(why))
    expect(gateway.state).toMatchObject({ bound: false, lastErrorAt: expect.any(Date) })
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'unsent', reason: gateway.state.lastError })
  })

  test('a host that refuses connections is reported in words', async () => {
    const peer = await RawPeer.listen(() => undefined)
    const { port } = peer
    await peer.close()
    const gateway = smppGateways()(settingsFor({ host: '127.0.0.1', port }), new RecordedEvents(), systemClock)
    await eventually(() => gateway.state.lastError === 'it cannot be reached: connection refused')
    await gateway.close()
  })

  test('a gateway that never answers the login is disconnected and tried again', async () => {
    let connections = 0
    const gateway = await bare(() => (connections += 1), { bindMs: 200 })
    await eventually(() => connections >= 2)
    expect(gateway.state.lastError).toContain('does not answer the login')
  })

  test('a gateway that falls silent is noticed by enquire_link and disconnected, and what was under way is unknown', async () => {
    const gateway = await bare(answersLogin, { enquireEveryMs: 200, enquireMs: 300 })
    await bound(gateway)
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'unknown', reason: expect.any(String) })
    expect(gateway.state.lastError).toContain('enquire_link')
  })

  test.each(['enquire_link', 'alert_notification', 'query_sm'])(
    'a gateway that sends %s without end is disconnected, with the reason, and tried again',
    async (command) => {
      const { gateway, peer, recorded } = await against(accepts)
      await bound(gateway)
      const flood = Buffer.concat(Array.from({ length: 1000 }, (_, n) => encodePdu(command, { sequence: n + 1 })))
      for (let n = 0; n < 4; n++) peer.send(flood)
      await eventually(() => recorded.states.find(({ lastError }) => lastError?.includes('10000 requests a second')))
      await eventually(() => peer.binds > 1)
    },
  )

  test('a gateway that ends the session is answered, and comes back', async () => {
    const { gateway, peer } = await against(accepts)
    await bound(gateway)
    peer.send(encodePdu('unbind', { sequence: 1 }))
    await eventually(() => peer.received.find(({ command }) => command === 'unbind_resp'))
    await eventually(() => peer.binds === 2 && gateway.state.bound)
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
  })
})

describe('bytes', () => {
  test.each([0, 1, 4, 15, 16_385, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])(
    'a message that says it has %i bytes ends the connection, in words, and the next one works',
    async (length) => {
      const { gateway, peer } = await against(accepts)
      await bound(gateway)
      const bytes = Buffer.alloc(16)
      bytes.writeUInt32BE(length, 0)
      peer.send(bytes)
      await eventually(() => gateway.state.lastError?.includes(`${length} bytes`))
      await eventually(() => peer.binds === 2 && gateway.state.bound)
      expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
    },
  )

  test('answers and receipts that arrive byte by byte are read', async () => {
    const answer: Answer = ({ command, sequence }, socket) => {
      if (command !== 'submit_sm') return
      for (const byte of Buffer.concat([acceptance(sequence, 'slow'), receiptOf(9, 'slow')]))
        socket.write(Buffer.from([byte]))
    }
    const { gateway, recorded } = await against(answer)
    await bound(gateway)
    expect(await gateway.submit(messageTo('20'))).toEqual({ kind: 'accepted', ids: ['slow'] })
    await eventually(() => recorded.receiptsOf(['slow']).length === 1)
  })

  test('unknown commands are answered as such, unreadable bodies are rejected, and work continues', async () => {
    const { gateway, peer } = await against(accepts)
    await bound(gateway)
    const unknown = Buffer.from('00000010000abcde0000000000000007', 'hex')
    const torn = Buffer.from('0000001400000005000000000000000800ffffff', 'hex')
    peer.send(Buffer.concat([unknown, torn]))
    await eventually(() => peer.received.find(({ command, status }) => command === 'generic_nack' && status === 3))
    await eventually(() => peer.received.find(({ command }) => command === 'deliver_sm_resp'))
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
  })

  test('random bytes in well-formed frames throw no error', async () => {
    const { gateway, peer } = await against(accepts)
    await bound(gateway)
    let state = 1
    const random = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16
    const commands = [0x05, 0x103, 0x8000_0004, 0x8000_0000, 0x15, 0x102, 0x0b, 0x21]
    for (let index = 0; index < 3000; index += 1) {
      const body = Buffer.from(Array.from({ length: random() % 120 }, () => random() & 0xff))
      const header = Buffer.alloc(16)
      header.writeUInt32BE(16 + body.length, 0)
      header.writeUInt32BE(commands[random() % commands.length] ?? 5, 4)
      header.writeUInt32BE(random() % 3 === 0 ? random() : 0, 8)
      header.writeUInt32BE(1_000_000 + index, 12)
      peer.send(Buffer.concat([header, body]))
    }
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
    expect(peer.binds).toBe(1)
  })
})

describe('floods', () => {
  test('reading pauses while receipts cannot be stored, and all are stored in the end', async () => {
    const { gateway, recorded, peer } = await against(accepts)
    await bound(gateway)
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    const stored = recorded.receipts.bind(recorded)
    let asked = 0
    recorded.receipts = async (these) => {
      asked += these.length
      await gate
      await stored(these)
    }
    const count = 60_000
    let drained = 0
    const [socket] = peer.sockets
    for (let index = 1; index <= count; index += 1)
      socket?.write(receiptOf(index, `flood-${index}`), () => (drained = index))
    await eventually(() => asked > 0)
    await sleep(500)
    expect(asked).toBeLessThanOrEqual(500)
    expect(drained).toBeLessThan(count) // the rest stays at the sender, where it costs nothing here
    open()
    await eventually(() => recorded.receiptsStored.length === count)
    await eventually(() => peer.received.filter(({ command }) => command === 'deliver_sm_resp').length === count)
    expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
  })

  // The flood before has that reading pauses; endless.test.ts that messages have their time.
  test('a submit whose answer waits behind such a flood is not given up', { tags: ['exhaustive'] }, async () => {
    const { gateway, recorded, peer } = await against(() => undefined, { times: { answerMs: 2000 } })
    await bound(gateway)
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => (open = resolve))
    recorded.receipts = async () => await gate
    for (let index = 1; index <= 10_000; index += 1) peer.send(receiptOf(index, `flood-${index}`))
    const submitted = gateway.submit(messageTo('20'))
    const { sequence } = await eventually(() => peer.submits()[0])
    peer.send(acceptance(sequence, 'behind'))
    await sleep(2800)
    open()
    expect(await submitted).toEqual({ kind: 'accepted', ids: ['behind'] })
  })

  test('a gateway whose receipts cannot be stored can still be closed', async () => {
    const { gateway, recorded, peer } = await against(accepts)
    await bound(gateway)
    let asked = false
    recorded.receipts = async () => {
      asked = true
      await new Promise(() => undefined)
    }
    for (let index = 1; index <= 10_000; index += 1) peer.send(receiptOf(index, `flood-${index}`))
    await eventually(() => asked)
    await gateway.close()
    expect(gateway.state.bound).toBe(false)
  }, 20_000)

  // endless.test.ts has gateways that send without end.
  test(
    'a gateway that sends without end and reads nothing is disconnected and tried again',
    { tags: ['exhaustive'], timeout: 60_000 },
    async () => {
      const { gateway, recorded, peer } = await against(accepts, { times: { enquireMs: 300 } })
      await bound(gateway)
      const [socket] = peer.sockets
      socket?.pause()
      const alert = encodePdu('deliver_sm', { sequence: 1, esm_class: 0x20, short_message: Buffer.alloc(0) })
      const flood = Buffer.concat(Array.from({ length: 1000 }, () => alert))
      for (let sent = 0; sent < 2000 && !recorded.states.some(({ lastError }) => lastError !== null); sent += 1) {
        if (!socket?.write(flood)) await sleep(1)
      }
      await eventually(() => peer.binds > 1)
    },
  )

  // sms/inbox/inbox.test.ts has what becomes of parts.
  test('only a few of twenty thousand unfinished long messages are held', { tags: ['exhaustive'] }, async () => {
    const { gateway, recorded, peer } = await against(accepts)
    await bound(gateway)
    for (let index = 0; index < 20_000; index += 1) {
      const short_message = Buffer.concat([Buffer.from([5, 0, 3, index & 0xff, 2, 1]), Buffer.from('x')])
      const source_addr = `97798${index}`
      peer.send(
        encodePdu('deliver_sm', { sequence: index + 1, esm_class: 0x40, data_coding: 0, source_addr, short_message }),
      )
    }
    await eventually(() => recorded.incomingStored.length >= 19_500)
    expect(recorded.incomingStored[0]).toMatchObject({ part: { number: 1, of: 2 } })
    await eventually(() => recorded.incomingStored.length === 20_000)
  })
})
