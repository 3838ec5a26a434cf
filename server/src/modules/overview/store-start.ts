import type { FirstStep, firstSteps } from '@ghanti/contract/overview.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { ownedPaisa } from '../../db/owned.ts'
import type { Viewer } from '../../policy.ts'

type Conditions<Steps extends readonly FirstStep[]> = Record<Steps[number], RawBuilder<unknown>>
type Steps = typeof firstSteps

/** In use: not deleted, and on a trunk. */
const hasCallerId = (account: RawBuilder<unknown>) => sql`
  select from cli_holder h join cli on cli.id = h.cli_id where h.account_id = ${account} and cli.deleted_at is null and cli.trunk_id is not null`

function ofUser(userId: number): Conditions<Steps['user']> {
  const account = sql`${userId}::int`
  return {
    voiceFile: sql`exists (select from prompt where owner_id = ${account} and deleted_at is null)`,
    approval: sql`exists (select from prompt where owner_id = ${account} and deleted_at is null and status = 'approved')`,
    callerId: sql`exists (${hasCallerId(account)})`,
    balance: sql`exists (select from account a where a.id = ${account} and ${ownedPaisa('a')} > a.reserved_paisa)`,
    contacts: sql`exists (select from base where owner_id = ${account})`,
    testCall: sql`exists (select from campaign where account_id = ${account} and is_test)`,
    campaign: sql`exists (select from campaign where account_id = ${account} and not is_test)`,
  }
}

/** `customers` is a condition on `u`. Each customer is looked up by itself, because a join may read all rows to find one. */
function ofCustomers(customers: RawBuilder<unknown>) {
  const some = (found: RawBuilder<unknown>) =>
    sql`exists (select from users u where ${customers} and exists (${found}))`
  return {
    customer: sql`exists (select from users u where ${customers})`,
    allocation: some(hasCallerId(sql`u.id`)),
    recharge: some(sql`select from credit_entry e where e.account_id = u.id and e.campaign_id is null`),
    customerCampaign: some(sql`select from campaign c where c.account_id = u.id and not c.is_test`),
  }
}

function ofReseller(userId: number): Conditions<Steps['reseller']> {
  return {
    plan: sql`exists (select from plan where owner_id = ${userId} and deleted_at is null)`,
    ...ofCustomers(sql`u.parent_id = ${userId}`),
  }
}

function ofOperator(): Conditions<Steps['superAdmin']> {
  const { customer, allocation, recharge } = ofCustomers(sql`u.role <> 'superAdmin'`)
  return {
    dialer: sql`exists (select from dialer where deleted_at is null and given_up_at is null)`,
    trunk: sql`exists (select from trunk where deleted_at is null)`,
    trunkTest: sql`exists (select from trunk_test where passed)`,
    cli: sql`exists (select from cli where deleted_at is null and trunk_id is not null)`,
    plan: sql`exists (select from plan where deleted_at is null)`,
    customer,
    allocation,
    recharge,
  }
}

export async function stepsDone(db: Db, { userId, role }: Viewer): Promise<ReadonlySet<string>> {
  const all: Partial<Record<FirstStep, RawBuilder<unknown>>> = {
    user: () => ofUser(userId),
    reseller: () => ofReseller(userId),
    superAdmin: ofOperator,
  }[role]()
  const steps = Object.entries(all).map(([step, isDone]) => sql`(${step}, ${isDone})`)
  const { rows } = await sql<{ step: string }>`
    select step from (values ${sql.join(steps)}) steps (step, is_done) where is_done`.execute(db)
  return new Set(rows.map(({ step }) => step))
}
