/** Dialers for which something holds, as last read. Hundreds of idle dialers can ask without waiting. */
export class Flagged {
  #dialerIds: ReadonlySet<number> = new Set()

  are(dialerIds: readonly number[]): void {
    this.#dialerIds = new Set(dialerIds)
  }

  has(dialerId: number): boolean {
    return this.#dialerIds.has(dialerId)
  }
}
