import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { idKey, type Receipt } from '../../drivers/sms/driver.ts'
import { sampleOf } from '../../lib/masked-sample.ts'
import { AppError, badField } from '../../errors.ts'
import { isSameText } from '../../lib/secrets.ts'
import { contentOf, incomingIn, receiptsIn, type IncomingNames, type ReceiptNames } from '../../lib/sms-callback.ts'
import { keepIncoming } from '../sms-inbox/actions.ts'
import { secretsIn } from './actions.ts'
import { settingsOf } from './rules-settings.ts'
import * as store from './store.ts'
import { endTests, keepReceipts, noteNotUnderstood, samplesMax, type FinalReceipt } from './store-callback.ts'

export type CallingGateway = {
  gatewayId: number
  tps: number
  receipt: ReceiptNames | null
  incoming: IncomingNames | null
}

/** How long gateways count as they were read. A secret that was replaced works so much longer. */
const freshMs = 2000
/** Between two readings. A wrong secret is answered after one, so whoever guesses over a connection guesses no faster, and neither often asks the database. */
const readEveryMs = 1500

type Known = { at: number; gateways: ReadonlyMap<number, store.CallableGateway> }

/**
 * Knows the gateways that may call back, as all of them were read last. So a right secret costs no statement, and wrong ones share a reading, however
 * many ask: strangers have no connections and no line that gateways would have to wait for.
 */
export class CallbackGateways {
  readonly #app: App
  #known: Known = { at: -Infinity, gateways: new Map() }
  #reading: Promise<void> = Promise.resolve()
  /** A reading that has not begun, and therefore sees what was stored until now. */
  #nextReading: Promise<void> | null = null

  constructor(app: App) {
    this.#app = app
  }

  /** The gateway that this secret belongs to. A missing gateway and a wrong secret get the same reply. */
  async calling(gatewayId: number, secret: string): Promise<CallingGateway> {
    const known = performance.now() - this.#known.at < freshMs ? this.#withSecret(gatewayId, secret) : null
    if (known) return known
    await this.#readAfterNow()
    const gateway = this.#withSecret(gatewayId, secret)
    if (!gateway) throw new AppError('not_found')
    return gateway
  }

  #withSecret(gatewayId: number, secret: string): CallingGateway | null {
    const gateway = this.#known.gateways.get(gatewayId)
    const known = gateway && secretsIn(this.#app, gateway.secrets_sealed).receiptSecret
    const isRight = isSameText(secret, known ?? randomUUID())
    if (!gateway || known === undefined || !isRight) return null
    const { tps, receipt, incoming } = settingsOf('http', gateway.settings)
    return { gatewayId, tps, receipt, incoming }
  }

  #readAfterNow(): Promise<void> {
    this.#nextReading ??= this.#readNext()
    return this.#nextReading
  }

  async #readNext(): Promise<void> {
    await this.#reading.catch(() => {}) // whoever waits for that one is told
    const waitMs = this.#known.at + readEveryMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    this.#nextReading = null
    this.#reading = this.#read()
    await this.#reading
  }

  async #read(): Promise<void> {
    const at = performance.now()
    this.#known = { at, gateways: await store.callable(this.#app.db) }
  }
}

export type Callback = {
  query: Readonly<Record<string, unknown>>
  body: string
  /** Its type says that the body is a form. */
  isForm: boolean
}

/**
 * Resolves once it is stored: a gateway that gets anything but 200 repeats the callback. What is neither a receipt nor a message is counted, and shown
 * to super admins.
 */
export async function takeCallback(app: App, gateway: CallingGateway, callback: Callback): Promise<void> {
  const { gatewayId, receipt, incoming } = gateway
  const now = app.clock.now()
  const content = contentOf(callback.query, callback.body, callback.isForm)
  if ('fault' in content) {
    await noteAll(app, gatewayId, [callback.body])
    throw badField('body', content.fault, 'unreadable')
  }
  const { receipts, unread } = receipt ? receiptsIn(receipt, content, now) : { receipts: [], unread: [] }
  const messages = receipts.length + unread.length === 0 && incoming ? incomingIn(incoming, content, now) : []
  if (unread.length > 0) await noteAll(app, gatewayId, unread)
  if (receipts.length > 0) return takeReceipts(app, gatewayId, receipts)
  if (messages.length > 0) return keepIncoming(app.db, gatewayId, messages)
  if (unread.length === 0) await noteAll(app, gatewayId, [JSON.stringify(content.fields)])
}

/** A callback with the right secret that was refused before anybody read it. */
export async function noteRefusedCallback(app: App, gatewayId: number, why: string): Promise<void> {
  await noteAll(app, gatewayId, [why])
}

async function noteAll(app: App, gatewayId: number, said: readonly string[]): Promise<void> {
  await noteNotUnderstood(app.db, gatewayId, said.length, said.slice(-samplesMax).map(sampleOf))
}

async function takeReceipts(app: App, gatewayId: number, receipts: readonly Receipt[]): Promise<void> {
  const final = receipts.flatMap(({ id, state, reason, at }): FinalReceipt[] =>
    state === 'accepted' ? [] : [{ idKey: idKey(id), state, reason, at }],
  )
  if (final.length === 0) return
  const ended = await endTests(app.db, gatewayId, final)
  const others = final.filter(({ idKey: key }) => !ended.has(key))
  if (others.length === 0 || (await keepReceipts(app.db, gatewayId, others))) return
  app.log.warn({ gatewayId }, 'a gateway sends too many receipts that match nothing')
  throw new AppError('throttled', [], { retryAfterSeconds: 60 })
}
