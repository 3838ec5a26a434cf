import { createHttp } from '@ghanti/server/http/server.ts'
import { httpPortsOf } from '@ghanti/server/http-ports.ts'
import { handlers } from '@ghanti/server/handlers.ts'
import type { App } from '@ghanti/server/app.ts'
import type { Pool, PoolClient } from 'pg'
import * as z from 'zod/mini'

type Statement = { text: string; values: unknown[] }

const Heard = z.tuple([z.string(), z.array(z.unknown())])

export type Ears = {
  statementsOf(url: string, headers: Record<string, string>): Promise<Statement[]>
  close(): Promise<void>
}

/** `app` must use this pool and no other. */
export async function earsOn(app: App, pool: Pool): Promise<Ears> {
  let heard: Statement[] = []
  pool.on('connect', (client: PoolClient) => {
    const query = client.query.bind(client)
    Object.assign(client, {
      query(...args: unknown[]) {
        const parsed = z.safeParse(Heard, args.slice(0, 2))
        const asked: unknown = Reflect.apply(query, client, args)
        if (!parsed.success) return asked
        const [text, values] = parsed.data
        const heardNow = heard
        // Statements of cancelled requests do not count.
        return Promise.resolve(asked).then((reply) => (heardNow.push({ text, values }), reply))
      },
    })
  })
  const { http } = await createHttp(app, { handlers, ports: httpPortsOf(app), console: null })
  return {
    async statementsOf(url, headers) {
      heard = []
      const reply = await http.inject({ url, headers })
      if (reply.statusCode !== 200) throw new Error(`${url}: ${reply.body}`)
      return heard.filter(({ text }) => /^[\s(]*(select|with)\b/.test(text))
    },
    close: () => http.close(),
  }
}

const Plan = z.tuple([
  z.object({
    'Execution Time': z.number(),
    'Planning Time': z.number(),
    Plan: z.object({ 'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number() }),
  }),
])
type Cost = { pages: number; spentMs: number; text: string }

/** The statements of a request, the most expensive first. */
export async function costOf(
  url: string,
  { ears, pool, headers }: { ears: Ears; pool: Pool; headers: Record<string, string> },
): Promise<{ pages: number; statements: Cost[] }> {
  const statements: Cost[] = []
  for (const { text, values } of await ears.statementsOf(url, headers)) {
    const { rows } = await pool.query<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    )
    const [{ Plan: plan, ...spent }] = z.parse(Plan, rows[0]?.['QUERY PLAN'])
    statements.push({
      pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
      spentMs: spent['Execution Time'] + spent['Planning Time'],
      text: text.replace(/\s+/g, ' ').slice(0, 120),
    })
  }
  statements.sort((a, b) => b.pages - a.pages)
  return { pages: statements.reduce((sum, { pages }) => sum + pages, 0), statements }
}

export function inPercentile(figures: readonly number[], percent: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
}
