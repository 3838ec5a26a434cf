import { randomUUID } from 'node:crypto'
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

/** The gateway that this secret belongs to. A missing gateway and a wrong secret get the same reply. */
export async function gatewayCalling(app: App, gatewayId: number, secret: string): Promise<CallingGateway> {
  const gateway = await store.find(app.db, gatewayId)
  const known = gateway?.driver === 'http' ? secretsIn(app, gateway.secrets_sealed).receiptSecret : undefined
  const isRight = isSameText(secret, known ?? randomUUID())
  if (!gateway || known === undefined || !isRight) throw new AppError('not_found')
  const { tps, receipt, incoming } = settingsOf('http', gateway.settings)
  return { gatewayId, tps, receipt, incoming }
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
