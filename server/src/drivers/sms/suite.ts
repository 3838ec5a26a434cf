/** What every gateway driver does, tested against a peer whose answers depend on the number's last two digits. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RecordedEvents, eventually } from './testing-events.ts'
import {
  idKey,
  idKeysInOtherBase,
  type GatewayEvents,
  type OutgoingMessage,
  type SmsGateway,
  type Submitted,
} from './driver.ts'
import { longReply } from './simulator/numbers.ts'

export type SmsFixture = {
  open(events: GatewayEvents): SmsGateway
  close(): Promise<void>
}

let tokens = 0
export function messageTo(suffix: string, text = 'Namaste'): OutgoingMessage {
  tokens += 1
  return { token: `t${tokens}`, from: 'GHANTI', to: `97798410${String(tokens).padStart(3, '0')}${suffix}`, text }
}

class Suite {
  readonly #make: () => Promise<SmsFixture>
  #fixture: SmsFixture | null = null
  #gateway: SmsGateway | null = null
  recorded = new RecordedEvents()

  constructor(make: () => Promise<SmsFixture>) {
    this.#make = make
  }

  async begin(): Promise<void> {
    this.#fixture = await this.#make()
  }

  async end(): Promise<void> {
    await this.#fixture?.close()
  }

  async connect(): Promise<() => Promise<void>> {
    this.recorded = new RecordedEvents()
    const gateway = this.#fixture?.open(this.recorded)
    if (!gateway) throw new Error('the suite has not begun')
    this.#gateway = gateway
    await this.untilBound()
    return () => gateway.close()
  }

  get gateway(): SmsGateway {
    if (!this.#gateway) throw new Error('the suite is not connected')
    return this.#gateway
  }

  async untilBound(): Promise<void> {
    await eventually(() => this.gateway.state.bound)
  }

  async accepted(suffix: string, text?: string): Promise<string[]> {
    const submitted = await this.gateway.submit(messageTo(suffix, text))
    expect(submitted).toMatchObject({ kind: 'accepted' })
    return submitted.kind === 'accepted' ? submitted.ids : []
  }

  async receiptsOf(ids: readonly string[], count = 1): Promise<void> {
    await eventually(() => this.recorded.receiptsOf(ids).length >= count)
  }
}

/** The peer is made once, a connection for each test. `splits`: long messages leave in segments, each with its own id. */
export function smsSuite(name: string, make: () => Promise<SmsFixture>, { splits = true } = {}): void {
  describe(name, () => {
    const suite = new Suite(make)
    beforeAll(() => suite.begin())
    afterAll(() => suite.end())
    beforeEach(() => suite.connect())
    answers(suite)
    receipts(suite)
    if (splits) longMessages(suite)
    incoming(suite)
    connection(suite)
  })
}

const inWords = expect.stringMatching(/\w \w/)

function answers(suite: Suite): void {
  test.each<[suffix: string, why: string, outcome: Partial<Submitted>]>([
    ['01', 'a number that cannot be is the message’s fault', { kind: 'refused', whose: 'message', ids: [] }],
    ['13', 'a fault of the gateway is not the message’s', { kind: 'refused', whose: 'gateway', ids: [] }],
    ['20', 'an ordinary number is accepted under one id', { kind: 'accepted', ids: [expect.any(String)] }],
  ])('%s: %s', async (suffix, _why, outcome) => {
    const submitted = await suite.gateway.submit(messageTo(suffix))
    expect(submitted).toMatchObject(outcome)
    if (submitted.kind === 'refused') expect(submitted.reason).toEqual(inWords)
  })

  test('a throttled message is accepted later, and none becomes unknown', async () => {
    const message = messageTo('08')
    expect(await suite.gateway.submit(message)).toEqual({ kind: 'throttled' })
    expect(await suite.gateway.submit(message)).toMatchObject({ kind: 'accepted' })
  })

  test('a message that may no longer leave at its turn is unsent, and takes no place in the window', async () => {
    const asked = messageTo('00')
    expect(await suite.gateway.submit({ ...asked, mayLeave: () => false })).toMatchObject({ kind: 'unsent' })
    expect(suite.gateway.state.windowUsed).toBe(0)
    expect(await suite.gateway.submit({ ...asked, mayLeave: () => true })).toMatchObject({ kind: 'accepted' })
  })

  test('two messages have two ids', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => suite.accepted('20')))
    expect(new Set(ids.flat()).size).toBe(20)
  })
}

function receipts(suite: Suite): void {
  test.each([
    ['20', 'delivered'],
    ['02', 'failed'],
    ['03', 'expired'],
    ['05', 'delivered'],
    ['09', 'failed'],
    ['10', 'delivered'],
    ['11', 'delivered'],
  ])('%s: the receipt says %s, under an id that is the answer’s by its key', async (suffix, state) => {
    const ids = await suite.accepted(suffix)
    await suite.receiptsOf(ids)
    const receipt = suite.recorded.receiptsOf(ids)[0]
    expect(receipt?.state).toBe(state)
    expect(receipt?.reason).toEqual(state === 'delivered' ? null : inWords)
  })

  test('a receipt with the id in another base is found by its other keys', async () => {
    const [id = ''] = await suite.accepted('19')
    const { receiptsStored } = suite.recorded
    const receipt = await eventually(() => receiptsStored.find((one) => idKeysInOtherBase(one.id).includes(idKey(id))))
    expect(idKey(receipt.id)).not.toBe(idKey(id))
  })

  test('a receipt that comes twice is reported twice', async () => {
    const ids = await suite.accepted('06')
    await suite.receiptsOf(ids, 2)
  })

  test('receipts that could not be stored come again', async () => {
    suite.recorded.refusals.receipts = 1
    const ids = await suite.accepted('20')
    await suite.receiptsOf(ids)
    expect(suite.recorded.refusals.receipts).toBe(0)
  })
}

function longMessages(suite: Suite): void {
  test('a long message has an id and a receipt for each segment', async () => {
    const ids = await suite.accepted('20', 'नमस्ते '.repeat(30)) // 210 units
    expect(new Set(ids).size).toBe(4)
    await suite.receiptsOf(ids, 4)
  })

  test('a message whose later segments are refused reports the accepted ones', async () => {
    const submitted = await suite.gateway.submit(messageTo('12', 'a'.repeat(161)))
    expect(submitted).toMatchObject({ kind: 'refused', whose: 'message', ids: [expect.any(String)], reason: inWords })
  })
}

function incoming(suite: Suite): void {
  test.each([
    ['15', 'STOP'],
    ['16', 'बन्द'],
  ])('%s: a telephone answers %s', async (suffix, text) => {
    const message = messageTo(suffix)
    await suite.gateway.submit(message)
    const reply = await eventually(() => suite.recorded.incomingStored.find(({ from }) => from === message.to))
    expect(reply).toMatchObject({ text, to: message.from, part: null })
  })

  test('a long reply is reassembled, and sent again until it is stored', async () => {
    const message = messageTo('17')
    suite.recorded.refusals.incoming = 1
    await suite.gateway.submit(message)
    const reply = await eventually(() => suite.recorded.incomingStored.find(({ from }) => from === message.to))
    expect(suite.recorded.refusals.incoming).toBe(0)
    expect(reply).toMatchObject({ text: longReply, part: null })
  })
}

function connection(suite: Suite): void {
  test('a connection that is cut leaves what was under way unknown, says so, and comes back by itself', async () => {
    const submitted = await suite.gateway.submit(messageTo('14'))
    expect(submitted).toMatchObject({ kind: 'unknown', answered: false, ids: [], reason: inWords })
    expect(suite.gateway.state.lastError).toEqual(inWords)
    await suite.untilBound()
    await suite.accepted('20')
  })

  test('after closing nothing is sent, and what was under way is unknown', async () => {
    const unanswered = suite.gateway.submit(messageTo('07'))
    await eventually(() => suite.gateway.state.windowUsed === 1)
    await suite.gateway.close()
    expect(await unanswered).toMatchObject({ kind: 'unknown', reason: inWords })
    expect(await suite.gateway.submit(messageTo('20'))).toMatchObject({ kind: 'unsent', reason: inWords })
    expect(suite.gateway.state.bound).toBe(false)
  })
}
