/** What a backup knows about the tables. It is read from the catalogues, so that a new table is never forgotten. */
import type { Client } from 'pg'
import * as z from 'zod'
import { jobSchema } from '../schema/migrate.ts'

const Table = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })
export type Table = z.output<typeof Table>

export const Manifest = z.object({
  version: z.literal(1),
  madeAt: z.string(),
  installation: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** pg-boss's own schema version: its tables are only put back into the same one. */
  jobsVersion: z.number(),
  tables: z.array(Table),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.string() })),
  partitions: z.array(z.string()),
})
export type Manifest = z.output<typeof Manifest>

/** Filled by migrations, not by people. */
const notCopied = ['public.schema_migration', `${jobSchema}.version`]

/**
 * Sessions, mailed links, counted failures, living engines and deliveries to webhooks belong to the moment and the machine of the backup. They are left
 * out of a backup, and not restored from an old one that has them, so that a stolen session or a link in an old mail does not come to life again, and
 * nothing that arrived is sent a second time.
 */
const notKept = new Set(
  [
    'session',
    'password_reset',
    'not_me_link',
    'ceremony',
    'used_challenge',
    'mail_verification',
    'summary_address_link',
    'throttle',
    'rate_limit',
    'engine',
    'hook_news',
    'hook_event',
    'hook_delivery',
  ].map((name) => `public.${name}`),
)

export const isKept = (table: { schema: string; name: string }): boolean => !notKept.has(keyOf(table))

/** All tables, partitioned ones whole, each after those that it refers to. */
export async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table & { refers: string[] }>(
    `select n.nspname as schema, c.relname as name,
            (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
            array(select rn.nspname || '.' || r.relname from pg_constraint k join pg_class r on r.oid = k.confrelid
                    join pg_namespace rn on rn.oid = r.relnamespace
                   where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', $1) and c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname || '.' || c.relname <> all ($2) order by 1, 2`,
    [jobSchema, notCopied],
  )
  return inOrder(rows).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

function inOrder<T extends Table & { refers: string[] }>(tables: T[]): T[] {
  const ordered: T[] = []
  const placed = new Set<string>()
  for (let rest = tables; rest.length > 0;) {
    const open = new Set(rest.map(keyOf))
    const next = rest.filter((table) => table.refers.every((other) => placed.has(other) || !open.has(other)))
    if (next.length === 0) throw new Error(`tables refer to each other in a circle: ${[...open].join(', ')}`)
    for (const table of next) placed.add(keyOf(table))
    ordered.push(...next)
    rest = rest.filter((table) => !placed.has(keyOf(table)))
  }
  return ordered
}

export const keyOf = (table: { schema: string; name: string }): string => `${table.schema}.${table.name}`

export async function manifestOf(client: Client): Promise<Manifest> {
  const installation = await client.query<{ id: string }>('select id from installation')
  const migrations = await client.query<{ name: string; hash: string }>(
    'select name, hash from schema_migration order by name',
  )
  const sequences = await client.query<{ schema: string; name: string; value: string }>(
    `select schemaname as schema, sequencename as name, last_value::text as value from pg_sequences
      where schemaname in ('public', $1) and last_value is not null`,
    [jobSchema],
  )
  const partitions = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent in ('attempt'::regclass, to_regclass('sms_sent'), 'transfer'::regclass) order by 1`,
  )
  return {
    version: 1,
    madeAt: new Date().toISOString(),
    installation: installation.rows[0]?.id ?? '',
    migrations: migrations.rows,
    jobsVersion: await jobsVersion(client),
    tables: (await tablesOf(client)).filter(isKept),
    sequences: sequences.rows,
    partitions: partitions.rows.map((row) => row.name),
  }
}

export async function jobsVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>(`select version from ${jobSchema}.version`)
  return rows[0]?.version ?? 0
}
