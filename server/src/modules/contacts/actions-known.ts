import type { App } from '../../app.ts'

const knownMs = 60_000

/** What reading a file gave, for a minute: a form asks for the same again and again. Of each installation its own; failures are forgotten. */
export class Known<T> {
  readonly #of = new WeakMap<App, Map<string, { at: number; made: Promise<T> }>>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(app: App, key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#of.get(app) ?? new Map<string, { at: number; made: Promise<T> }>()
    this.#of.set(app, known)
    const now = performance.now()
    for (const [old, { at }] of known) if (now - at > knownMs || known.size > this.#max) known.delete(old)
    const found = known.get(key)
    if (found) return found.made
    const made = make()
    known.set(key, { at: now, made })
    made.catch(() => known.delete(key))
    return made
  }
}
