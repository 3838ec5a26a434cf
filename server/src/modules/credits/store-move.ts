import type { TransferKind } from '../../db/tables.ts'
import type { Tx } from '../../db/db.ts'
import { sql } from 'kysely'
import { ownedPaisa } from '../../db/owned.ts'

/** Locks in id order, so that opposite movements cannot deadlock. */
export async function lockAccounts(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`select from account where id = any (${ids}) order by id for no key update`.execute(tx)
}

export async function freePaisa(tx: Tx, accountId: number): Promise<number> {
  const account = await tx
    .selectFrom('account')
    .select(['balance_paisa', 'reserved_paisa'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  return account.balance_paisa - account.reserved_paisa
}

/** Makes what calls earned spendable. The account is locked. */
export async function sweepIncome(tx: Tx, accountId: number): Promise<void> {
  await sql`
    with slots as materialized (
      select account_id, slot, paisa from account_income where account_id = ${accountId} and paisa > 0 order by slot for update
    ), emptied as (
      update account_income i set paisa = 0 from slots s where i.account_id = s.account_id and i.slot = s.slot returning s.paisa
    )
    update account set balance_paisa = balance_paisa + (select coalesce(sum(paisa), 0)::bigint from emptied)
     where id = ${accountId} and exists (select from emptied)`.execute(tx)
}

/** False, with nothing written, when the payer's unreserved balance is too low. The mint may go below zero. */
export async function moveBalance(tx: Tx, payerId: number, payeeId: number, paisa: number): Promise<boolean> {
  const paid = await sql`
    update account set balance_paisa = balance_paisa - ${paisa}
     where id = ${payerId} and (kind = 'mint' or balance_paisa - reserved_paisa >= ${paisa})`.execute(tx)
  if (paid.numAffectedRows !== 1n) return false
  await sql`update account set balance_paisa = balance_paisa + ${paisa} where id = ${payeeId}`.execute(tx)
  return true
}

export async function insertTransfer(
  tx: Tx,
  transfer: { payerId: number; payeeId: number; paisa: number; kind: TransferKind },
): Promise<void> {
  await tx
    .insertInto('transfer')
    .values({
      payer_id: transfer.payerId,
      payee_id: transfer.payeeId,
      amount_paisa: transfer.paisa,
      kind: transfer.kind,
    })
    .execute()
}

export type EntryOfMove = {
  accountId: number
  otherId: number
  signedPaisa: number
  action: 'credit_add' | 'credit_remove'
  byUserId: number | null
  reference: string | null
  paymentMode: string | null
  note: string | null
}

/** Writes the history line with the balance afterwards, unswept income included. */
export async function insertEntry(tx: Tx, entry: EntryOfMove): Promise<void> {
  await sql`
    insert into credit_entry (account_id, action, other_id, amount_paisa, balance_paisa, by_user_id, reference, payment_mode, note)
    select a.id, ${entry.action}::credit_action, ${entry.otherId}::int, ${entry.signedPaisa}::bigint,
           ${ownedPaisa('a')},
           ${entry.byUserId}::int, ${entry.reference}::text, ${entry.paymentMode}::text, ${entry.note}::text
      from account a where a.id = ${entry.accountId}`.execute(tx)
}
