/** Named moments at which engine processes kill themselves, or a test something else, and how statements and requests are observed for them. */
import * as fs from 'node:fs'
import { createInterface } from 'node:readline'
import type { Pool, PoolClient } from 'pg'
import * as z from 'zod/mini'

/** The name under which PostgreSQL knows the connections of such a process. */
export const crashTestName = 'ghanti-crash-test'

const Moment = z.object({ what: z.string(), nth: z.number() })
type Moment = z.output<typeof Moment>

export const orderFields = {
  databaseUrl: z.string(),
  filesFolder: z.string(),
  engineId: z.string(),
  leaseMs: z.number(),
  timeScale: z.number(),
  logLevel: z.string(),
  killAt: z.nullable(Moment),
}

let moment: Moment | null = null
let times = 0
let act = (): void => void process.kill(process.pid, 'SIGKILL')

/** Sets the moment, and what happens then, once. Null: there is none. */
export function armed(next: Moment | null, then: () => void): void {
  moment = next
  times = 0
  act = then
}

/** What a test waits for: it is told, and decides what becomes of this process, which does nothing until it is told to go on. */
function standStill(): void {
  fs.writeSync(1, 'moment\n')
  process.kill(process.pid, 'SIGSTOP')
}

/**
 * Says `ready`, then reads the order: one line of JSON. The process ends with its standard input, or at the moment of the order. Each further line is a
 * moment at which it says `moment` and stands still; null: none.
 */
export async function readOrder<Order extends { killAt: Moment | null }>(schema: z.ZodMiniType<Order>): Promise<Order> {
  const lines = createInterface({ input: process.stdin })
  const ordered = new Promise<Order>((resolve) =>
    lines.once('line', (line) => {
      lines.on('line', (next) => armed(z.nullable(Moment).parse(JSON.parse(next)), standStill))
      const order = schema.parse(JSON.parse(line))
      moment = order.killAt
      resolve(order)
    }),
  )
  process.stdout.write('ready\n')
  const order = await ordered
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
const claims = ['claim', 'claim_of_stream', 'claim_shared', 'claim_shared_of_stream', 'sms_claim']
type Named = { name: string; text: string; values: unknown[] }

/** What was answered to a statement of that name. A claim is 'done' when it claimed something. */
function answered(name: string, rows: readonly Claimed[]): void {
  if (!claims.includes(name) || rows.some((row) => typeof row.id === 'number')) happened(`${name} done`)
  if (rows.some((row) => (row.attempt_no ?? 0) > 1)) happened(`${name} of a retry done`)
  if (rows.some((row) => (row.congestions ?? 0) > 0)) happened(`${name} of a congested row done`)
}

/** The trunk before and after are the fifth and sixth value of a detour. */
function namesOf({ name, values }: Named): string[] {
  return name === 'detour' && values[4] === values[5] ? [name, 'detour to a host'] : [name]
}

/** Reports each statement by name when it was sent and when it was answered; one of a transaction when that was committed. */
export function watchedPool(pool: Pool): Pool {
  const query = async (statement: Named) => {
    const reply = pool.query<Claimed>(statement)
    const names = namesOf(statement)
    for (const name of names) sent(name)
    const { rows } = await reply
    for (const name of names) answered(name, rows)
    return reply
  }
  const connect = async () => watchedClient(await pool.connect())
  return instead(pool, { query, connect })
}

function watchedClient(client: PoolClient): PoolClient {
  const of: { name: string; rows: readonly Claimed[] }[] = []
  const query = async (statement: Named | string, values?: unknown[]) => {
    const reply = typeof statement === 'string' ? client.query(statement, values) : client.query<Claimed>(statement)
    if (typeof statement !== 'string') sent(statement.name)
    const { rows } = await reply
    if (typeof statement !== 'string') of.push({ name: statement.name, rows })
    else if (statement === 'commit') for (const { name, rows: all } of of.splice(0)) answered(name, all)
    return reply
  }
  return instead(client, { query })
}

function instead<T extends object>(whole: T, parts: Record<string, unknown>): T {
  return new Proxy(whole, {
    get(of, key) {
      const value: unknown = (typeof key === 'string' ? parts[key] : undefined) ?? Reflect.get(of, key)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}
