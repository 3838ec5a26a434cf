import { FairSemaphore } from '../../lib/fair-semaphore.ts'

/** What long work does with its turn. Short work takes one turn and needs neither. */
export type Turn = {
  /** Between two pieces: lets the other accounts go first. */
  rest(): Promise<void>
  /** Runs a step that cannot be cut into pieces; the others go on beside it. */
  aside<T>(step: () => Promise<T>): Promise<T>
}

/** How many rows are read or stored in one turn at most. */
export const rowsATurn = 20_000

type Work = { accountId: number; rows: number }
type Limits = {
  /** How many long works of all accounts may be open. Each keeps a thread and, where it stores, a connection with its transaction. */
  openMax: number
  /** Work on more rows than this is long. */
  shortRows: number
}

/**
 * Takes work of many accounts by turns, a limited number at once. Long work is cut into pieces, and everybody else has a turn between two of them. Each
 * account has one long work open at a time, so that no account is the only one that makes progress.
 */
export class AccountTurns {
  readonly #turns: FairSemaphore
  readonly #open: FairSemaphore
  readonly #openOfAccount = new Map<number, FairSemaphore>()
  readonly #shortRows: number

  constructor(atOnce: number, { openMax, shortRows }: Limits) {
    this.#turns = new FairSemaphore(atOnce)
    this.#open = new FairSemaphore(openMax)
    this.#shortRows = shortRows
  }

  async run<T>({ accountId, rows }: Work, work: (turn: Turn) => Promise<T>): Promise<T> {
    if (rows <= this.#shortRows) return await this.#turns.run(() => work(oneTurn), accountId)
    return await this.#ofAccount(accountId).run(() => this.#open.run(() => this.#inPieces(accountId, work), accountId))
  }

  async #inPieces<T>(accountId: number, work: (turn: Turn) => Promise<T>): Promise<T> {
    let handOn = await this.#take(accountId)
    const turn: Turn = {
      rest: async () => {
        const again = this.#take(accountId) // queued before the turn is handed on: behind those who wait, before those who come
        handOn()
        handOn = await again
      },
      aside: async (step) => {
        handOn()
        try {
          return await step()
        } finally {
          handOn = await this.#take(accountId)
        }
      },
    }
    try {
      return await work(turn)
    } finally {
      handOn()
    }
  }

  /** Returns the function that hands the turn on. */
  #take(accountId: number): Promise<() => void> {
    return new Promise((taken) => {
      void this.#turns.run(() => new Promise<void>((handOn) => taken(handOn)), accountId)
    })
  }

  #ofAccount(accountId: number): FairSemaphore {
    const there = this.#openOfAccount.get(accountId)
    if (there) return there
    const own = new FairSemaphore(1)
    this.#openOfAccount.set(accountId, own)
    return own
  }
}

const oneTurn: Turn = { rest: () => Promise.resolve(), aside: (step) => step() }

export type PrepareTurns = { speak: AccountTurns; store: AccountTurns }

/** The turns of a process. Speaking occupies the speech engine and the dialers; storing occupies a thread and the database. */
export function turnsToPrepare(): PrepareTurns {
  return {
    speak: new AccountTurns(4, { openMax: 8, shortRows: 1000 }),
    store: new AccountTurns(1, { openMax: 2, shortRows: rowsATurn }),
  }
}
