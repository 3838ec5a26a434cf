/**
 * A process that sends to webhooks, for tests that kill it. It prints `ready`, reads its order (one line of JSON) and sends until it kills itself with
 * SIGKILL at the nth occurrence of the ordered moment: 'claimed' (before anything leaves), 'asked' (the request has left), 'answered' (before the answer
 * is stored).
 */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { systemClock } from '../../clock.ts'
import { readConfig } from '../../config.ts'
import { kyselyOver, openPool } from '../../db/pool.ts'
import type { AddressDriver } from '../../drivers/addresses/driver.ts'
import { httpAddresses } from '../../drivers/addresses/http.ts'
import { startHooks } from '../../modules/hooks/actions-send.ts'

const Order = z.object({
  databaseUrl: z.string(),
  dataFolder: z.string(),
  killAt: z.nullable(z.object({ what: z.enum(['claimed', 'asked', 'answered']), nth: z.number() })),
})
export type HookOrder = z.output<typeof Order>

process.stdout.write('ready\n')
const [line] = await once(createInterface({ input: process.stdin }), 'line')
const { databaseUrl, dataFolder, killAt } = Order.parse(JSON.parse(String(line)))
process.stdin.on('end', () => process.exit(0))

let times = 0
function happened(what: string): void {
  if (what !== killAt?.what) return
  times += 1
  if (times === killAt.nth) process.kill(process.pid, 'SIGKILL')
}

const real = httpAddresses()
const addresses: AddressDriver = {
  ...real,
  async post(url, reach, request) {
    happened('claimed')
    const asked = real.post(url, reach, request)
    setTimeout(() => happened('asked'), 5)
    const answer = await asked
    happened('answered')
    return answer
  },
}
const pool = openPool({ connectionString: databaseUrl, max: 4, name: 'ghanti-hooks-test' }, () => {})
startHooks({
  db: kyselyOver(pool),
  config: readConfig({ DATA_FOLDER: dataFolder, LOG_LEVEL: 'silent' }),
  clock: systemClock,
  log: pino({ level: 'silent' }),
  addresses,
})
