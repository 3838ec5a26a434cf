/** Turns of requests that use the database: whoever asks for hundreds of things at once keeps others waiting for at most one of them. */
import { hash } from 'node:crypto'
import { FairSemaphore } from '../lib/fair-semaphore.ts'
import { holdingTurn } from '../lib/turn-held.ts'

/** Where somebody without a session asks from: the neighbourhood, whose addresses come cheap, and the network, which one customer of a provider holds. */
export type Place = readonly [neighbourhood: string, network: string]

/**
 * An account's turn, or a stranger's. Places of their own have what may also wait for a file or a name server (`composing`), and messages of programs
 * (`sending`), of which an account sends a hundred a second for hours.
 */
export type Turn = { account: number; composing?: boolean; sending?: boolean } | { place: Place }

/** More than this of one account waits in no honest use; it gets 503. */
const waitingOfEach = 500
const waitingMax = 5000

/** What a page or a program asks for by the dozen stays far below; whoever floods gets a quarter of one place, and leaves the database to others. */
const flood = { workMsMax: 20_000, share: 1 / 4 }
const accounts = new FairSemaphore(12, { ofEach: 4, waitingOfEach, ...flood })
const composing = new FairSemaphore(6, { ofEach: 1, waitingOfEach })
const sending = new FairSemaphore(8, { ofEach: 4, waitingOfEach })
/** Places of their own, so that no number of strangers takes those of accounts. */
const strangers = new FairSemaphore(4, { ofEach: 2, waitingOfEach, waitingMax })

/** The work must wait for nothing but the database while it has its turn: whoever reads files asserts that (lib/turn-held.ts). */
export function takeTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  if ('place' in turn) return strangers.run(work, turn.place)
  if (turn.sending) return sending.run(work, turn.account)
  return turn.composing ? composing.run(work, turn.account) : accounts.run(() => holdingTurn(work), turn.account)
}

const sessionsKnown = new FairSemaphore(4, { ofEach: 2, waitingOfEach })
const sessionsOfStrangers = new FairSemaphore(4, { ofEach: 2, waitingMax })
/** Whose each token was when it was last looked up, by its hash; the oldest are forgotten. They only say in which line a request waits. */
const accountOfToken = new Map<string, number>()
const tokensMax = 10_000

/** Looks up a session in its turn. Tokens that this process knows wait by account, the others by place, so that no flood of wrong ones keeps out who is signed in. */
export async function lookUpSession<V extends { userId: number } | null>(
  { token, place }: { token: string | null; place: Place },
  work: () => Promise<V>,
): Promise<V> {
  if (token === null) return await work()
  const key = hash('sha256', token, 'base64url')
  const known = accountOfToken.get(key)
  accountOfToken.delete(key)
  const viewer = await (known === undefined ? sessionsOfStrangers.run(work, place) : sessionsKnown.run(work, known))
  if (viewer) accountOfToken.set(key, viewer.userId)
  const [oldest] = accountOfToken.size > tokensMax ? accountOfToken.keys() : []
  if (oldest !== undefined) accountOfToken.delete(oldest)
  return viewer
}
