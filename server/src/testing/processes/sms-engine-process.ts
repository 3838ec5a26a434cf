/**
 * An SMS engine in a process of its own, over SMPP, for tests that kill it. It prints `ready`, reads its order (one line of JSON) and sends until its
 * standard input ends, or until it kills itself with SIGKILL at the ordered moment. The names of moments:
 * - 'sms_claim sent', 'sms_claim done': the statement of that name was sent, or its result has arrived. A claim is done only when it returned rows
 * - 'submit sent', 'submit done': a message to the gateway
 * - 'receipts arrive', 'receipts reported': receipts of the gateway, before and after they are stored
 */
import { pino } from 'pino'
import * as z from 'zod/mini'
import { systemClock } from '../../clock.ts'
import { openPool } from '../../db/pool.ts'
import { localFiles } from '../../drivers/files/local.ts'
import type { GatewayEvents, SmsGateway } from '../../drivers/sms/driver.ts'
import { smppGateways } from '../../drivers/sms/smpp/smpp.ts'
import { settingsFor } from '../../drivers/sms/smpp/testing.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import { startSmsEngine } from '../../sms/engine.ts'
import type { GatewayRow } from '../../sms/model/snapshot.sql.ts'
import { happened, orderFields, readOrder, sent, watchedPool } from './engine-moments.ts'

const Order = z.object({
  ...orderFields,
  /** Of the message centre. */
  port: z.number(),
})
export type SmsEngineOrder = z.output<typeof Order>

function watchedEvents(events: GatewayEvents): GatewayEvents {
  return {
    ...events,
    async receipts(these) {
      happened('receipts arrive')
      await events.receipts(these)
      happened('receipts reported')
    },
  }
}

function watched(gateway: SmsGateway): SmsGateway {
  return {
    get state() {
      return gateway.state
    },
    close: () => gateway.close(),
    async submit(message) {
      const reply = gateway.submit(message)
      sent('submit')
      const said = await reply
      happened('submit done')
      return said
    },
  }
}

const order = await readOrder(Order)
const pool = openPool(
  { connectionString: order.databaseUrl, max: 8, name: 'ghanti-sms-crash-test', options: enginePoolOptions },
  () => {},
)
const open = smppGateways()
const smpp = ({ settings }: GatewayRow, events: GatewayEvents): SmsGateway => {
  const { tps, window } = z.parse(z.object({ tps: z.number(), window: z.number() }), settings)
  return watched(
    open(settingsFor({ host: '127.0.0.1', port: order.port }, { tps, window }), watchedEvents(events), systemClock),
  )
}
const { engineId, leaseMs, timeScale } = order
startSmsEngine({
  pool: watchedPool(pool),
  drivers: { smpp },
  files: localFiles(order.filesFolder),
  clock: systemClock,
  log: pino({ level: order.logLevel, serializers: { error: pino.stdSerializers.err } }, pino.destination(2)),
  engineId,
  leaseMs,
  timeScale,
})
