/** The owner of the work, usually an account's id, or a group of owners. */
export type Whose = number | string

/**
 * Work that waits. Its owner may belong to groups, and these to larger ones: a path names them from the largest group to the owner. The members of
 * each group take turns, and each owner's work stays in order. All paths of a queue are equally long.
 */
export class FairQueue<Work> {
  #size = 0
  /** In the order of their turns: a member who had one moves to the end. */
  readonly #members = new Map<Whose, FairQueue<Work>>()
  readonly #own: Work[] = []

  /** How much waits. */
  get size(): number {
    return this.#size
  }

  sizeOf([first, ...rest]: readonly Whose[]): number {
    return first === undefined ? this.#size : (this.#members.get(first)?.sizeOf(rest) ?? 0)
  }

  add(work: Work, [first, ...rest]: readonly Whose[]): void {
    this.#size += 1
    if (first === undefined) return void this.#own.push(work)
    const member = this.#members.get(first) ?? new FairQueue<Work>()
    this.#members.set(first, member)
    member.add(work, rest)
  }

  /** Removes and returns whose turn it is, among the work that may begin. */
  next(mayBegin: (work: Work) => boolean): Work | undefined {
    const [first] = this.#own // an owner's work stays in order, so what waits behind it is not looked at
    if (first !== undefined && mayBegin(first)) {
      this.#size -= 1
      return this.#own.shift()
    }
    for (const [key, member] of this.#members) {
      const work = member.next(mayBegin)
      if (work === undefined) continue
      this.#size -= 1
      this.#members.delete(key)
      if (member.size > 0) this.#members.set(key, member)
      return work
    }
    return undefined
  }

  /**
   * Removes and returns the newest work of whoever has the most, where one of `coming` counts as waiting. Undefined: whoever comes has the most. Among
   * equals, whoever has waited longest makes room.
   */
  makeRoomFor(coming: readonly Whose[] | null): Work | undefined {
    const [first, ...rest] = coming ?? []
    const its = first === undefined ? undefined : this.#members.get(first)
    let [key, most]: [Whose?, FairQueue<Work>?] = []
    for (const [other, member] of this.#members)
      if (member !== its && member.size > (most?.size ?? 0)) [key, most] = [other, member]
    const comes = coming !== null && (its?.size ?? 0) + 1 > (most?.size ?? 0)
    const removed = comes ? its?.makeRoomFor(rest) : most ? most.makeRoomFor(null) : this.#own.pop()
    if (removed === undefined) return undefined
    this.#size -= 1
    if (!comes && key !== undefined && most?.size === 0) this.#members.delete(key)
    return removed
  }
}
