/** Turns of requests that use the database: whoever asks for hundreds of things at once keeps others waiting for at most one of them. */
import { FairSemaphore } from '../lib/fair-semaphore.ts'

/** An account's turn, or that of a network without a session. Strangers have places of their own, so that no number of them takes those of accounts. */
export type Turn = { account: number } | { network: string }

const accounts = new FairSemaphore(12, { ofEach: 4 })
const strangers = new FairSemaphore(4, { ofEach: 2 })

export function takeTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return 'account' in turn ? accounts.run(work, turn.account) : strangers.run(work, turn.network)
}
