/** Questions that come within this time are answered together. Aligned timers of one period fire within a millisecond or two. */
const windowMs = 4

type Asker<Answer> = { resolve: (answer: Answer) => void; reject: (error: unknown) => void }

/**
 * Puts the questions of many dialers to the database as one statement, so that an idle dialer costs no statement of its own. When it fails, it
 * asks again for each dialer alone, so that one dialer's fault does not affect the others.
 */
export class BatchedQuery<Key, Answer> {
  readonly #read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>
  #asking = new Map<Key, Asker<Answer>[]>()

  /** `read` answers every key. */
  constructor(read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Answer>>) {
    this.#read = read
  }

  ask(key: Key): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#asking.size === 0) setTimeout(() => this.#flush(), windowMs)
      const askers = this.#asking.get(key)
      if (askers) askers.push({ resolve, reject })
      else this.#asking.set(key, [{ resolve, reject }])
    })
  }

  #flush(): void {
    const asked = this.#asking
    this.#asking = new Map()
    void this.#answer(asked, asked.size > 1)
  }

  async #answer(asked: ReadonlyMap<Key, readonly Asker<Answer>[]>, mayDivide: boolean): Promise<void> {
    try {
      const answers = await this.#read([...asked.keys()])
      for (const [key, askers] of asked) for (const asker of askers) answer(asker, key, answers)
    } catch (error) {
      if (mayDivide) for (const [key, askers] of asked) void this.#answer(new Map([[key, askers]]), false)
      else for (const askers of asked.values()) for (const { reject } of askers) reject(error)
    }
  }
}

function answer<Key, Answer>({ resolve, reject }: Asker<Answer>, key: Key, answers: ReadonlyMap<Key, Answer>): void {
  const answer = answers.get(key)
  if (answer === undefined) reject(new Error(`nothing was answered for ${String(key)}`))
  else resolve(answer)
}
