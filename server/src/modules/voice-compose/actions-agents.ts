import type { PreviewInput } from '@ghanti/contract/compose.ts'
import { dialable, nationalOf, phoneDigits } from '@ghanti/contract/phone.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, type FieldError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { blacklistedAmong, countAsked } from '../blacklist/actions.ts'
import type { Answers } from './rules.ts'

const code = 'blacklist'

/**
 * A transaction that may refuse agents. The refusal names numbers on lists that the account may not read, and each counts as a question of the blacklist check,
 * once the transaction is rolled back.
 */
export async function transactionWithAgents<T>({ app, viewer }: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await app.db.transaction().execute(work)
  } catch (error) {
    const named = error instanceof AppError ? error.errors.filter((one) => one.code === code).length : 0
    await countAsked(app.db, viewer.userId, named, 'agentRows')
    throw error
  }
}

/** Throws naming each row whose agent is blacklisted. Asked last, so that nothing is learnt from a request that would be refused anyway. */
export async function requireAgents(
  tx: Tx,
  ownerId: number,
  { agentRows = [] }: Pick<PreviewInput, 'agentRows'>,
  { agents }: Pick<Answers, 'agents'>,
): Promise<void> {
  const blacklisted = await blacklistedAmong(
    tx,
    ownerId,
    agents.map(({ number }) => Number(number.slice(1))),
  )
  if (blacklisted.size === 0) return
  const errors = agentRows.flatMap(({ agentNumber }, row): FieldError[] => {
    const phone = dialable(agentNumber)
    if (!phone || !blacklisted.has(phoneDigits(phone))) return []
    const text = `'${nationalOf(phone.e164)}' is on a blacklist`
    return [{ field: `agentRows.${row}.agentNumber`, code, text }]
  })
  throw new AppError('conflict', errors)
}
