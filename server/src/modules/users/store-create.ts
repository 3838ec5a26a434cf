import { personFields, personOf, type Person } from '@ghanti/contract/persons.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Tx } from '../../db/db.ts'
import type { AccountType } from '../../db/tables.ts'

const noPerson = Object.fromEntries(personFields.map((field) => [field, ''])) as Person

/** What fixtures and the operator's commands say of a person, too. */
type RequiredOf = Pick<Person, 'name' | 'emailid' | 'number' | 'company'>
export type NewAccount = RequiredOf &
  Partial<Person> & {
    role: Role
    parentId: number | null
    username: string
    /** Null: the owner still is to choose one. */
    passwordHash: string | null
    /** Whether an account above chose the password; its owner is to choose another. */
    isPasswordGiven?: boolean
    accountType?: AccountType
    planId?: number | null
    /** Concurrent calls; null: no limit, for super admins only. */
    channels: number | null
    expiresAt?: Date | null
    isDemo?: boolean
    /** When false, the address must be confirmed before it is mailed. */
    isMailConfirmed?: boolean
  }

export type ParentAccount = { id: number; role: Role; path: number[] }

/** Locked, so that the parent is not deleted while a child is created. */
export async function lockParent(tx: Tx, userId: number): Promise<ParentAccount | undefined> {
  return tx
    .selectFrom('users')
    .select(['id', 'role', 'path'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** Inserts account, person and channel cap. `earnerId`: the account that earns from its calls. */
export async function insertAccount(
  tx: Tx,
  account: NewAccount,
  parentPath: readonly number[],
  earnerId: number | null,
): Promise<number> {
  const { id } = await tx
    .insertInto('account')
    .values({ parent_id: earnerId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('users')
    .values({
      id,
      role: account.role,
      parent_id: account.parentId,
      path: [...parentPath, id],
      username: account.username,
      password_hash: account.passwordHash ?? '',
      password_given: account.isPasswordGiven ?? false,
      ...personOf({ ...noPerson, ...account }),
      account_type: account.accountType ?? 'promotional',
      plan_id: account.planId ?? null,
      expires_at: account.expiresAt ?? null,
      verified_emailid: account.isMailConfirmed ? account.emailid : null,
      is_demo: account.isDemo ?? false,
    })
    .execute()
  await tx.insertInto('account_channels').values({ account_id: id, channels: account.channels }).execute()
  return id
}
