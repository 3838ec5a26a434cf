import type { App } from '../../app.ts'
import type { Viewer } from '../../policy.ts'
import { takePlaces } from '../auth/actions-throttle.ts'
import { tooMuch } from './actions.ts'

/** Requests of one key, and of all keys of an account, by all processes together. */
const keyPerSecond = 50
const accountPerSecond = 200

/** What a process may let through until the second is over. */
type Block = { left: number; until: number }

/** So many are taken from the database at once, so that a second of a busy key costs a few statements in each process. */
const blockSize = 10
const blocksMax = 1000

/** How many requests of programs are let through a second, whatever the number of processes. */
export class KeyRates {
  readonly #app: Pick<App, 'db'>
  readonly #blocks = new Map<string, Promise<Block>>()

  constructor(app: Pick<App, 'db'>) {
    this.#app = app
  }

  /** Throws 429 beyond the rate of the key or of its account. */
  async take({ userId, key }: Viewer): Promise<void> {
    if (!key) return
    await this.#take(`key ${key.keyId} a second`, keyPerSecond, 'One key')
    await this.#take(`keys of ${userId} a second`, accountPerSecond, 'All keys of one account')
  }

  async #take(owner: string, perSecond: number, who: string): Promise<void> {
    for (;;) {
      const known = this.#blocks.get(owner)
      const block = await (known ?? this.#ask(owner, perSecond))
      const msLeft = block.until - performance.now()
      if (msLeft > 0 && block.left > 0) return void (block.left -= 1)
      if (msLeft > 0 && block.left < 0) throw tooMany(who, perSecond, msLeft)
      if (this.#blocks.get(owner) === known) this.#blocks.delete(owner)
    }
  }

  /** `left` is -1 where the second is used up. Those who ask at once share one answer. */
  #ask(owner: string, points: number): Promise<Block> {
    const asked = takePlaces(this.#app.db, owner, { points, seconds: 1 }, blockSize).then(
      ({ isFree, msLeft }) => ({ left: isFree ? blockSize : -1, until: performance.now() + msLeft }),
      (error: unknown) => {
        this.#blocks.delete(owner)
        throw error
      },
    )
    const [oldest] = this.#blocks.size >= blocksMax ? this.#blocks.keys() : []
    if (oldest !== undefined) this.#blocks.delete(oldest)
    this.#blocks.set(owner, asked)
    return asked
  }
}

function tooMany(who: string, perSecond: number, msLeft: number) {
  const seconds = Math.max(1, Math.ceil(msLeft / 1000))
  return tooMuch(`${who} may send ${perSecond} requests a second. Try again in ${seconds} s`, seconds, 'key')
}
