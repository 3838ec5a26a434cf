import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'

type AuditLine = {
  actorId: number | null
  /** The account it was done to, if it is not the actor's own. */
  ownerId: number | null
  ip: string
  action: string
  target: string | null
  detail: Readonly<Record<string, unknown>>
}

type ReadLine = {
  actorId: number
  ownerId: number
  ip: string
  action: string
  target: string
  detail: Readonly<Record<string, unknown>>
  hour: Date
}

/**
 * One line per object, actor, search and hour; when the owner reads their own data it names no owner. Reads before it writes, because lists
 * ask again and again.
 */
export async function insertRead(db: Db, line: ReadLine): Promise<void> {
  const isOwn = line.actorId === line.ownerId
  await sql`
    insert into audit_log (actor_id, actor_path, owner_id, owner_path, action, target, ip, detail, read_hour)
    select actor.id, actor.path, case when ${!isOwn} then subject.id end, case when ${!isOwn} then subject.path end,
           ${line.action}, ${line.target}, ${line.ip}, ${JSON.stringify(line.detail)}::jsonb, ${line.hour}::timestamptz
      from users actor, users subject
     where actor.id = ${line.actorId} and subject.id = ${line.ownerId}
       and not exists (select from audit_log a where a.actor_id = ${line.actorId} and a.action = ${line.action} and a.target = ${line.target}
                         and md5(coalesce(a.detail ->> 'search', '')) = md5(coalesce(${JSON.stringify(line.detail)}::jsonb ->> 'search', ''))
                         and a.read_hour = ${line.hour}::timestamptz)
    on conflict do nothing`.execute(db)
}

/** The same for many owners at once; the target is each owner's account. */
export async function insertReadsOf(
  db: Db,
  ownerIds: readonly number[],
  line: Pick<ReadLine, 'actorId' | 'ip' | 'action' | 'detail' | 'hour'>,
): Promise<void> {
  await sql`
    insert into audit_log (actor_id, actor_path, owner_id, owner_path, action, target, ip, detail, read_hour)
    select actor.id, actor.path, subject.id, subject.path, ${line.action}, 'user ' || subject.id, ${line.ip}, jsonb_build_object('ownerId', subject.id) || ${JSON.stringify(line.detail)}::jsonb, ${line.hour}::timestamptz
      from users actor, users subject
     where actor.id = ${line.actorId} and subject.id = any (${ownerIds}::int[])
       and not exists (select from audit_log a where a.actor_id = ${line.actorId} and a.action = ${line.action} and a.target = 'user ' || subject.id
                         and md5(coalesce(a.detail ->> 'search', '')) = md5('') and a.read_hour = ${line.hour}::timestamptz)
    on conflict do nothing`.execute(db)
}

/** Stores the actor's ancestors with the line, so that they can still read it after the actor was moved or deleted. */
export async function insert(db: Db, line: AuditLine): Promise<void> {
  await sql`
    insert into audit_log (actor_id, actor_path, owner_id, owner_path, action, target, ip, detail)
    values (${line.actorId}::int, coalesce((select path from users where id = ${line.actorId}::int), '{}'),
            ${line.ownerId}::int, (select path from users where id = ${line.ownerId}::int), ${line.action}, ${line.target}, ${line.ip}, ${JSON.stringify(line.detail)}::jsonb)`.execute(
    db,
  )
}
