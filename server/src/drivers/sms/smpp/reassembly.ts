import type { IncomingMessage } from '../driver.ts'
import type { Delivered } from './delivered.ts'

type Message = Extract<Delivered, { kind: 'message' }>
type Held = { message: IncomingMessage; acknowledge: (status: number) => void }
export type Arrival = { message: Message; key: string; at: Date; acknowledge: (status: number) => void }

/** A gateway that sends one message at a time waits for the acknowledgement of the first piece. After this time, pieces are stored one by one. */
const holdMs = 2000
const setsMax = 500
/** Of all unfinished messages together; a message may have 255. */
export const piecesMax = 2000

type Waiting = { arrivals: Map<number, Arrival>; of: number; timer: NodeJS.Timeout }

/** Reassembles long messages. It acknowledges nothing itself. After a while, pieces of incomplete messages are passed on one by one. */
export class Reassembly {
  readonly #sets = new Map<string, Waiting>()
  readonly #ready: (held: Held[]) => void
  #held = 0

  constructor(ready: (held: Held[]) => void) {
    this.#ready = ready
  }

  add(arrival: Arrival): void {
    const { piece, from, to } = arrival.message
    if (!piece) return this.#ready([{ message: wholeOf(arrival), acknowledge: arrival.acknowledge }])
    const name = `${from} ${to} ${piece.reference} ${piece.of}`
    const waiting = this.#sets.get(name) ?? this.#open(name, piece.of)
    const before = waiting.arrivals.get(piece.number)
    if (before) this.#ready([pieceOf(before)])
    else this.#held += 1
    waiting.arrivals.set(piece.number, arrival)
    if (waiting.arrivals.size === waiting.of) this.#complete(name, waiting)
    else if (this.#held > piecesMax) this.#giveUpOldest()
  }

  flush(): void {
    for (const name of this.#sets.keys()) this.#giveUp(name)
  }

  #open(name: string, of: number): Waiting {
    if (this.#sets.size >= setsMax) this.#giveUpOldest()
    const waiting = { arrivals: new Map(), of, timer: setTimeout(() => this.#giveUp(name), holdMs) }
    this.#sets.set(name, waiting)
    return waiting
  }

  #complete(name: string, { arrivals, timer }: Waiting): void {
    clearTimeout(timer)
    this.#sets.delete(name)
    this.#held -= arrivals.size
    const inOrder = [...arrivals].sort(([one], [other]) => one - other).map(([, arrival]) => arrival)
    const [first] = inOrder
    if (!first) return
    const text = inOrder.map(({ message }) => message.text).join('')
    this.#ready([
      {
        message: { ...wholeOf(first), text },
        acknowledge: (status) => inOrder.forEach((arrival) => arrival.acknowledge(status)),
      },
    ])
  }

  #giveUpOldest(): void {
    const oldest = this.#sets.keys().next()
    if (!oldest.done) this.#giveUp(oldest.value)
  }

  #giveUp(name: string): void {
    const waiting = this.#sets.get(name)
    this.#sets.delete(name)
    if (!waiting) return
    clearTimeout(waiting.timer)
    this.#held -= waiting.arrivals.size
    this.#ready([...waiting.arrivals.values()].map(pieceOf))
  }
}

function wholeOf({ message: { from, to, text }, key, at }: Arrival): IncomingMessage {
  return { key, from, to, text, at, part: null }
}

function pieceOf(arrival: Arrival): Held {
  return { message: { ...wholeOf(arrival), part: arrival.message.piece }, acknowledge: arrival.acknowledge }
}
