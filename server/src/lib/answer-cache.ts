/**
 * A short-lived cache of answers. Callers who ask while one is being read wait for it. Each installation has its own answers; failures are not
 * cached.
 */
export class AnswerCache<T> {
  readonly #of = new WeakMap<object, Map<string, { at: number; made: Promise<T> }>>()
  readonly #max: number
  readonly #ms: number

  constructor({ max, ms }: { max: number; ms: number }) {
    this.#max = max
    this.#ms = ms
  }

  get(app: object, key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#of.get(app) ?? new Map<string, { at: number; made: Promise<T> }>()
    this.#of.set(app, known)
    const now = performance.now()
    for (const [old, { at }] of known) if (now - at > this.#ms || known.size > this.#max) known.delete(old)
    const found = known.get(key)
    if (found) return found.made
    const made = make()
    const one = { at: Infinity, made } // while it is being read nobody starts another read, however long it takes
    known.set(key, one)
    made.then(
      () => (one.at = performance.now()),
      () => known.delete(key),
    )
    return made
  }
}
