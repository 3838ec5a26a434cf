import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

type AuditLine = {
  actorId: number | null
  ip: string
  action: string
  target: string | null
  detail: Readonly<Record<string, unknown>>
}

/** The actor's ancestors are kept with the line: it stays readable by them when he is moved or gone. */
export async function insert(db: Db, line: AuditLine): Promise<void> {
  await sql`
    insert into audit_log (actor_id, actor_path, action, target, ip, detail)
    values (${line.actorId}::int, coalesce((select path from users where id = ${line.actorId}::int), '{}'),
            ${line.action}, ${line.target}, ${line.ip}, ${JSON.stringify(line.detail)}::jsonb)`.execute(db)
}
