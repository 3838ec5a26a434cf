import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { idKey, type Receipt } from '../../drivers/sms/driver.ts'
import { AppError } from '../../errors.ts'
import { isSameText } from '../../lib/secrets.ts'
import {
  incomingIn,
  receiptIn,
  type CallbackParameters,
  type IncomingNames,
  type ReceiptNames,
} from '../../lib/sms-callback.ts'
import { keepIncoming } from '../sms-inbox/actions.ts'
import { secretsIn } from './actions.ts'
import { settingsOf } from './rules-settings.ts'
import * as store from './store.ts'
import { countUnmatched, endTest, keepReceipt } from './store-callback.ts'

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

/**
 * Resolves once it is stored: a gateway that gets anything but 200 repeats the callback. What is neither a receipt nor a message is
 * counted.
 */
export async function takeCallback(app: App, gateway: CallingGateway, said: CallbackParameters): Promise<void> {
  const now = app.clock.now()
  const receipt = gateway.receipt && receiptIn(gateway.receipt, said, now)
  if (receipt) return takeReceipt(app, gateway.gatewayId, receipt)
  const message = gateway.incoming && incomingIn(gateway.incoming, said, now)
  if (message) return keepIncoming(app.db, gateway.gatewayId, message)
  return countUnmatched(app.db, gateway.gatewayId)
}

async function takeReceipt(app: App, gatewayId: number, { id, state, reason, at }: Receipt): Promise<void> {
  if (state === 'accepted') return
  const final = { idKey: idKey(id), state, reason, at }
  if (await endTest(app.db, gatewayId, final)) return
  if (await keepReceipt(app.db, gatewayId, final)) return
  app.log.warn({ gatewayId }, 'a gateway sends too many receipts that match nothing')
  throw new AppError('throttled', [], { retryAfterSeconds: 60 })
}
