import type { contractRoutes } from '@ghanti/contract/contracts.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { namesOf } from '../../lib/list-of-names.ts'
import { audit } from '../audit/actions.ts'
import { updatedFields } from '../audit/rules.ts'
import { contractWords as words } from './rules.ts'
import * as store from './store.ts'

type NewContract = InputOf<typeof contractRoutes.create>

const taken = (value: string) => ({ constraint: 'operator_contract_name', field: 'contractName', value })
const fieldsOf = ({ contractName: name, channels, cps }: NewContract): store.Contract => ({ name, channels, cps })

export async function createContract(ctx: Ctx, input: NewContract): Promise<number> {
  return ctx.app.db.transaction().execute(async (tx) => {
    const contract = fieldsOf(input)
    const contractId = await refuseTaken(taken(contract.name), () => store.insert(tx, contract))
    await audit(tx, ctx, 'contract.create', `contract ${contractId}`, contract)
    return contractId
  })
}

/** Dialers apply it when they next ask, within two seconds. */
export async function updateContract(ctx: Ctx, contractId: number, input: NewContract): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const before = await store.lock(tx, contractId)
    if (!before) throw new AppError('not_found')
    const contract = fieldsOf(input)
    await refuseTaken(taken(contract.name), () => store.update(tx, contractId, contract))
    await audit(tx, ctx, 'contract.update', `contract ${contractId}`, updatedFields(before, contract))
  })
}

export async function deleteContract(ctx: Ctx, contractId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const contract = await store.lock(tx, contractId)
    if (!contract) throw new AppError('not_found')
    const trunks = await store.trunksOf(tx, contractId)
    if (trunks.length > 0) throw conflict('contractId', words.inUse(namesOf(trunks)), 'in_use')
    await store.remove(tx, contractId, ctx.app.clock.now())
    await audit(tx, ctx, 'contract.delete', `contract ${contractId}`, { name: contract.name })
  })
}

/** Called when a trunk is about to join the contract. */
export async function requireContract(tx: Tx, contractId: number): Promise<void> {
  if (!(await store.lock(tx, contractId))) throw badField('contractId', words.none, 'not_found')
}
