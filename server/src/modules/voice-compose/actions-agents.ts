import type { PreviewInput } from '@ghanti/contract/compose.ts'
import { dialable, nationalOf, phoneDigits } from '@ghanti/contract/phone.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, type FieldError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { blacklistedAmong, countAskedOnce } from '../blacklist/actions.ts'
import type { Answers } from './rules.ts'
import { usualAgents } from './store-flow.ts'

/**
 * A transaction that may ask whether agents are blacklisted, also by others: their numbers are those in `counted`. Only `transactionWithAgents` and
 * `withCountedAgents` make one.
 */
export type AgentsTx = Tx & { readonly counted: ReadonlySet<number> | 'all' }

class Uncounted extends Error {
  readonly phones: readonly number[]
  constructor(phones: readonly number[]) {
    super('agents are asked about before this is counted')
    this.phones = phones
  }
}

/**
 * Runs a transaction that may ask about agents. Each number counts as a question of the blacklist check, whatever the answer, unless the account has composed
 * a campaign with it or asked about it within the minute. The first run rolls back when it comes to ask about others; once these are counted, a second one
 * asks. So nothing counts in a request that is refused for another reason, and no answer is given that was not counted.
 */
export async function transactionWithAgents<T>({ app, viewer }: Ctx, work: (tx: AgentsTx) => Promise<T>): Promise<T> {
  const counted = new Set<number>()
  for (;;) {
    try {
      return await app.db.transaction().execute((tx) => work(Object.assign(tx, { counted })))
    } catch (error) {
      if (!(error instanceof Uncounted)) throw error
      await countAskedOnce(app.db, viewer.userId, error.phones, 'agentRows')
      for (const phone of error.phones) counted.add(phone)
    }
  }
}

/** For agents that were counted when a person chose them. */
export function withCountedAgents<T extends Tx>(tx: T): T & AgentsTx {
  return Object.assign(tx, { counted: 'all' as const })
}

/** Throws naming each row whose agent is blacklisted. Asked last, so that nothing is learnt from a request that would be refused anyway. */
export async function requireAgents(
  tx: AgentsTx,
  ownerId: number,
  { agentRows = [] }: Pick<PreviewInput, 'agentRows'>,
  { agents }: Pick<Answers, 'agents'>,
): Promise<void> {
  const phones = [...new Set(agents.map(({ number }) => Number(number.slice(1))))]
  await requireCounted(tx, ownerId, phones)
  const blacklisted = await blacklistedAmong(tx, ownerId, phones)
  if (blacklisted.size === 0) return
  const errors = agentRows.flatMap(({ agentNumber }, row): FieldError[] => {
    const phone = dialable(agentNumber)
    if (!phone || !blacklisted.has(phoneDigits(phone))) return []
    const text = `'${nationalOf(phone.e164)}' is on a blacklist`
    return [{ field: `agentRows.${row}.agentNumber`, code: 'blacklist', text }]
  })
  throw new AppError('conflict', errors)
}

async function requireCounted(tx: AgentsTx, ownerId: number, phones: readonly number[]): Promise<void> {
  const { counted } = tx
  if (counted === 'all') return
  const others = phones.filter((phone) => !counted.has(phone))
  if (others.length === 0) return
  const usual = await usualAgents(tx, ownerId)
  const uncounted = others.filter((phone) => !usual.has(phone))
  if (uncounted.length > 0) throw new Uncounted(uncounted)
}
