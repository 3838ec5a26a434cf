/** Named moments at which engine processes kill themselves, or a test something else, and how statements and requests are observed for them. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Pool } from 'pg'
import * as z from 'zod/mini'

/** The name under which PostgreSQL knows the connections of such a process. */
export const crashTestName = 'ghanti-crash-test'

export const orderFields = {
  databaseUrl: z.string(),
  filesFolder: z.string(),
  engineId: z.string(),
  leaseMs: z.number(),
  timeScale: z.number(),
  logLevel: z.string(),
  killAt: z.nullable(z.object({ what: z.string(), nth: z.number() })),
}

type Moment = { what: string; nth: number }
let moment: Moment | null = null
let times = 0
let act = (): void => void process.kill(process.pid, 'SIGKILL')

/** Sets the moment, and what happens then, once. */
export function armed(next: Moment, then: () => void): void {
  moment = next
  times = 0
  act = then
}

/** Says `ready`, then reads the order: one line of JSON. The process ends with its standard input, or at the moment of the order. */
export async function readOrder<Order extends { killAt: Moment | null }>(schema: z.ZodMiniType<Order>): Promise<Order> {
  process.stdout.write('ready\n')
  const [line] = await once(createInterface({ input: process.stdin }), 'line')
  const order = schema.parse(JSON.parse(String(line)))
  moment = order.killAt
  process.stdin.on('end', () => process.exit(0))
  return order
}

export function happened(what: string): void {
  if (what !== moment?.what) return
  times += 1
  if (times === moment.nth) act()
}

/** Resolves when the current request has left the process. */
export function sent(what: string): void {
  setImmediate(() => setImmediate(() => happened(`${what} sent`)))
}

/** `id` null: rows that had to wait. */
type Claimed = { id?: number | null; attempt_no?: number; congestions?: number }
const claims = ['claim', 'claim_of_stream', 'sms_claim']

/** Reports each statement by name when it was sent and when it was answered. A claim is 'done' when it claimed something. */
export function watchedPool(pool: Pool): Pool {
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    const reply = pool.query<Claimed>(statement)
    sent(statement.name)
    const { rows } = await reply
    if (!claims.includes(statement.name) || rows.some((row) => typeof row.id === 'number'))
      happened(`${statement.name} done`)
    if (rows.some((row) => (row.attempt_no ?? 0) > 1)) happened(`${statement.name} of a retry done`)
    if (rows.some((row) => (row.congestions ?? 0) > 0)) happened(`${statement.name} of a congested row done`)
    return reply
  }
  return new Proxy(pool, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key)
      if (key === 'query') return query
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}
