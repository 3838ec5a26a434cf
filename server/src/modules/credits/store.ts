import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import { ownedPaisa } from '../../db/owned.ts'

export type Balance = {
  /** Posted balance plus unswept income. */
  paisa: number
  reservedPaisa: number
}

export async function balance(db: Db, accountId: number): Promise<Balance | undefined> {
  const { rows } = await sql<Balance>`
    select ${ownedPaisa('a')} as "paisa", a.reserved_paisa as "reservedPaisa" from account a where a.id = ${accountId}`.execute(
    db,
  )
  return rows[0]
}

export type ChainLink = {
  payerId: number
  payeeId: number | null
  payeeKind: 'ordinary' | 'mint' | 'revenue' | null
  username: string
  planName: string | null
  pulseMs: number | null
  pulsePaisa: number | null
  /** Per segment; null: the platform's price. */
  smsPaisa: number | null
}

/** The account and its resellers, from the bottom up; the last pays revenue. Super admins are not part of it. */
export async function chain(db: Db, accountId: number): Promise<ChainLink[]> {
  const { rows } = await sql<ChainLink>`
    select u.id as "payerId", payee.id as "payeeId", payee.kind as "payeeKind", u.username,
           p.name as "planName", p.pulse_ms as "pulseMs", p.pulse_price_paisa as "pulsePaisa", p.sms_price_paisa as "smsPaisa"
      from users me
      join users u on u.id = any (me.path) and u.role <> 'superAdmin'
      join account a on a.id = u.id
      left join account payee on payee.id = a.parent_id
      left join plan p on p.id = u.plan_id
     where me.id = ${accountId}
     order by cardinality(u.path) desc`.execute(db)
  return rows
}
