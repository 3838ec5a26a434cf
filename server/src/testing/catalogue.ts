/** What a schema is, as lines that can be compared: everything that pg_dump would write of it, in no order that anybody relies on but that of columns. */
import { Client } from 'pg'

const own = `relnamespace = 'public'::regnamespace and relname <> 'schema_migration'`

const statements = [
  `select format('%s %s: %s%s', relkind, relname, relpersistence, array_to_string(reloptions, ', ', '')),
     coalesce(relacl::text, ''), pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid)
   from pg_class where ${own} and relkind in ('r', 'p', 'S', 'v')`,
  `select relname, row_number() over (partition by a.attrelid order by a.attnum), a.attname,
     format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where ${own} and relkind in ('r', 'p', 'v')`,
  `select relname, conname, pg_get_constraintdef(k.oid) from pg_constraint k join pg_class c on c.oid = k.conrelid where ${own}`,
  `select pg_get_indexdef(i.indexrelid) from pg_index i join pg_class c on c.oid = i.indrelid where ${own}`,
  `select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${own} and not t.tgisinternal`,
  `select pg_get_viewdef(oid) from pg_class where ${own} and relkind = 'v'`,
  `select pg_get_statisticsobjdef(oid) from pg_statistic_ext`,
  `select regexp_replace(regexp_replace(pg_get_functiondef(p.oid), '--[^\\n]*', '', 'g'), '\\s+', '', 'g'), p.proacl::text from pg_proc p
   where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  `select t.typname, string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e join pg_type t on t.oid = e.enumtypid group by 1`,
  `select sequencename, data_type::text, start_value, increment_by, max_value from pg_sequences where schemaname = 'public'`,
  `select defaclobjtype, defaclacl::text from pg_default_acl`,
  `select c.relname, a.attname, d.description from pg_description d join pg_class c on c.oid = d.objoid
     left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid and d.objsubid > 0 where ${own}`,
  `select extname from pg_extension`,
]

/** Without white space in functions that means nothing. `url`: the owner's. */
export async function catalogueOf(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const lines: string[] = []
    for (const [at, text] of statements.entries()) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
      lines.push(...rows.map((row) => `${at} ${row.map((value) => value ?? '').join(' ')}`))
    }
    return lines.sort()
  } finally {
    await client.end()
  }
}
