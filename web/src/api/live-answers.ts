import { queryClient } from './query.ts'

/** Collects what the stream reports while a request is under way, so that its reply, which may be older, can be patched. */
export class AnswersUnderWay<Row> {
  readonly #missed = new Map<string, Map<number, Row>>()
  readonly close: () => void

  /** `isAbout`: whether replies of this path contain such rows. */
  constructor(isAbout: (path: string) => boolean, patch: (missed: ReadonlyMap<number, Row>) => void) {
    this.close = queryClient.getQueryCache().subscribe(({ type, query, ...event }) => {
      const [path] = query.queryKey
      if (type !== 'updated' || typeof path !== 'string' || !isAbout(path) || !('action' in event)) return
      const { action } = event
      if (action.type === 'fetch') this.#missed.set(query.queryHash, new Map())
      if (action.type !== 'error' && (action.type !== 'success' || action.manual)) return
      const missed = this.#missed.get(query.queryHash)
      this.#missed.delete(query.queryHash)
      if (action.type === 'success' && missed?.size) patch(missed)
    })
  }

  miss(changed: ReadonlyMap<number, Row>): void {
    for (const missed of this.#missed.values()) for (const [id, row] of changed) missed.set(id, row)
  }
}
