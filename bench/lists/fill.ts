import type { Pool } from 'pg'

/** Inserts the rows before the table has indexes, so that each is built once. Keys stay; references are not checked. */
export async function fill(pool: Pool, table: string, insert: string, values: unknown[] = []): Promise<void> {
  const began = performance.now()
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition from pg_index i
      where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  )
  const client = await pool.connect()
  try {
    await client.query(
      `set session_replication_role = replica; set maintenance_work_mem = '512MB'; set work_mem = '256MB'`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    const { rowCount } = await client.query(insert, values)
    for (const { definition } of indexes) await client.query(definition)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(`  ${table}: ${Number(rowCount).toLocaleString('en')} rows in ${seconds} s`)
  } finally {
    await client.query('reset all')
    client.release()
  }
}
