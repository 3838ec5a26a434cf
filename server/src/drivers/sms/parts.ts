import { setTimeout as sleep } from 'node:timers/promises'
import type { LateAnswer, Submitted } from './driver.ts'
import { words } from './words.ts'

export type PartAnswer =
  | { kind: 'accepted'; id: string }
  | { kind: 'refused'; whose: 'message' | 'gateway'; code: string; reason: string }
  | { kind: 'throttled' }
  | { kind: 'unsent'; reason: string }
  | { kind: 'lost'; reason: string }

const againMs = 500
/** How many times a later segment is tried while the gateway has no room for it. */
const triesMax = 40

/**
 * Sends the first segment and, once it is accepted, all others at once: a gateway usually charges nothing for a message whose first segment it
 * refused. A later segment that cannot leave is tried again, because the message can no longer go another way.
 */
export async function sendParts(
  count: number,
  sendPart: (index: number) => Promise<PartAnswer>,
  unnamedId: (index: number) => string,
  closing: AbortSignal,
): Promise<Submitted> {
  const named = ({ id }: { id: string }, index: number): string => (id === '' ? unnamedId(index) : id)
  const first = await sendPart(0)
  if (first.kind === 'lost') return { kind: 'unknown', reason: first.reason, answered: false, ids: [] }
  if (first.kind === 'refused') return { ...first, ids: [] }
  if (first.kind !== 'accepted') return first
  if (count === 1) return { kind: 'accepted', ids: [named(first, 0)] }
  const rest = await Promise.all(
    Array.from({ length: count - 1 }, (_, at) => persistently(() => sendPart(at + 1), closing)),
  )
  const all = [first, ...rest]
  const ids = all.flatMap((answer, index) => (answer.kind === 'accepted' ? [named(answer, index)] : []))
  if (ids.length === count) return { kind: 'accepted', ids }
  const partly = (reason: string): string => words.partly(reason, ids.length, count)
  for (const answer of all)
    if (answer.kind === 'lost') return { kind: 'unknown', reason: partly(answer.reason), answered: true, ids }
  for (const answer of all) if (answer.kind === 'refused') return { ...answer, reason: partly(answer.reason), ids }
  return {
    kind: 'refused',
    whose: 'gateway',
    code: 'unsent',
    reason: partly(words.noRoom),
    ids,
  }
}

async function persistently(send: () => Promise<PartAnswer>, closing: AbortSignal): Promise<PartAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send()
    if (tries === triesMax || closing.aborted || (answer.kind !== 'throttled' && answer.kind !== 'unsent'))
      return answer
    await sleep(againMs, undefined, { signal: closing }).catch(() => undefined)
  }
}

type OnLateAnswer = (answer: LateAnswer) => void

/** Collects late answers to an 'unknown' message, and reports what they make certain. */
export class LateParts {
  readonly #count: number
  readonly #unnamedId: (index: number) => string
  readonly #onLateAnswer: OnLateAnswer | undefined
  readonly #lost = new Set<number>()
  /** Answers that are held back until the message has ended. */
  #early: [number, PartAnswer][] | null = []
  #accepted = 0
  #why: string = words.restUnsent

  constructor(count: number, unnamedId: (index: number) => string, onLateAnswer: OnLateAnswer | undefined) {
    this.#count = count
    this.#unnamedId = unnamedId
    this.#onLateAnswer = onLateAnswer
  }

  lost(index: number): void {
    this.#lost.add(index)
  }

  late(index: number, answer: PartAnswer): void {
    if (this.#early) {
      this.#early.push([index, answer])
      return
    }
    if (!this.#lost.delete(index)) return
    const id = answer.kind === 'accepted' ? answer.id || this.#unnamedId(index) : null
    if (id !== null) this.#accepted += 1
    else this.#why = answer.kind === 'refused' ? answer.reason : words.noRoomLate
    const certain = this.#lost.size === 0
    this.#onLateAnswer?.({ ids: id === null ? [] : [id], certain, refused: certain ? this.#refusal() : null })
  }

  ended(end: Submitted): Submitted {
    const early = this.#early ?? []
    this.#early = null
    if (end.kind !== 'unknown') return end
    this.#accepted = end.ids.length
    setImmediate(() => early.forEach(([index, answer]) => this.late(index, answer))) // after those that wait for the end
    return end
  }

  #refusal(): string | null {
    if (this.#accepted === this.#count) return null
    return this.#count === 1 ? this.#why : words.partly(this.#why, this.#accepted, this.#count)
  }
}
