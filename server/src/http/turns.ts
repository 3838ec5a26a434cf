/** Turns of requests that use the database: whoever asks for hundreds of things at once keeps others waiting for at most one of them. */
import { FairSemaphore } from '../lib/fair-semaphore.ts'

/** Where somebody without a session asks from: the neighbourhood, whose addresses come cheap, and the network, which one customer of a provider holds. */
export type Place = readonly [neighbourhood: string, network: string]

/** An account's turn, or a stranger's. */
export type Turn = { account: number } | { place: Place }

/** More of one owner than this waits in no honest use; it gets 503. */
const waitingOfEach = 500
const waitingMax = 5000

const accounts = new FairSemaphore(12, { ofEach: 4, waitingOfEach })
/** Places of their own, so that no number of strangers takes those of accounts. */
const strangers = new FairSemaphore(4, { ofEach: 2, waitingOfEach, waitingMax })
/** Whose session a token is of is not known before it was looked up. A flood of wrong tokens waits behind itself. */
const sessions = new FairSemaphore(4, { ofEach: 2, waitingOfEach, waitingMax })

export function takeTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return 'account' in turn ? accounts.run(work, turn.account) : strangers.run(work, turn.place)
}

export function lookUpSession<T>(place: Place, work: () => Promise<T>): Promise<T> {
  return sessions.run(work, place)
}
