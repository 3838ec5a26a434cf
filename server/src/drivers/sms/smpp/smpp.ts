import { randomInt } from 'node:crypto'
import type { Clock } from '../../../clock.ts'
import type {
  GatewayEvents,
  GatewayState,
  LateAnswer,
  OpenGateway,
  OutgoingMessage,
  SmppSettings,
  SmsGateway,
  Submitted,
} from '../driver.ts'
import { RateLimiter } from '../rate-limiter.ts'
import { LateParts, sendParts, type PartAnswer } from '../parts.ts'
import { StateReporter } from '../state.ts'
import { words } from '../words.ts'
import { Inbox } from './inbox.ts'
import { usualTimes, type Late, type Role, type Times } from './link.ts'
import { ReconnectingLink } from './reconnecting-link.ts'
import { segmentsFor } from './segments.ts'
import { answerOf } from './status.ts'

const closePollMs = 20

export function smppGateways(times: Times = usualTimes): OpenGateway<SmppSettings> {
  return (settings, events, clock) => new SmppGateway(settings, events, clock, times)
}

class SmppGateway implements SmsGateway {
  readonly #settings: SmppSettings
  readonly #times: Times
  readonly #limiter: RateLimiter
  readonly #state: StateReporter
  readonly #inbox: Inbox
  readonly #closing = new AbortController()
  readonly #sends: ReconnectingLink
  readonly #links: readonly ReconnectingLink[]
  #reference = randomInt(0x1_0000)
  #odd = 0

  constructor(settings: SmppSettings, events: GatewayEvents, clock: Clock, times: Times) {
    this.#settings = settings
    this.#times = times
    this.#limiter = new RateLimiter(settings)
    this.#state = new StateReporter(this.#limiter, events, clock)
    this.#inbox = new Inbox(events, clock, settings.alphabet, {
      full: (isFull) => this.#links.forEach((link) => link.pause(isFull)),
      notStored: () => this.#state.noted(words.notStored),
    })
    const link = (role: Role): ReconnectingLink => new ReconnectingLink(settings, role, this.#eventsOf(role), times)
    const isPair = settings.bind === 'pair'
    this.#sends = link(isPair ? 'transmitter' : 'transceiver')
    this.#links = isPair ? [this.#sends, link('receiver')] : [this.#sends]
  }

  get state(): GatewayState {
    return this.#state.now
  }

  async submit(message: OutgoingMessage, late?: (answer: LateAnswer) => void): Promise<Submitted> {
    this.#reference += 1
    const segments = segmentsFor(this.#settings, message, this.#reference)
    if ('lacks' in segments) {
      const reason = words.lacksLetter(segments.lacks)
      return { kind: 'refused', whose: 'message', code: 'alphabet', reason, ids: [] }
    }
    const unnamedId = (index: number): string => `${message.token}-${index}`
    const parts = new LateParts(segments.length, unnamedId, late)
    const send = async (index: number): Promise<PartAnswer> => {
      const mayLeave = index === 0 ? message.mayLeave : undefined
      const late: Late = ({ status, id }) => parts.late(index, answerOf(status, id))
      const answer = await this.#send(segments[index] ?? {}, late, mayLeave)
      if (answer.kind === 'lost') parts.lost(index)
      return answer
    }
    return parts.ended(await sendParts(segments.length, send, unnamedId, this.#closing.signal))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#limiter.end()
    const until = performance.now() + this.#times.closeMs
    while (this.#limiter.used > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, closePollMs))
    // Messages that are not stored by then stay unacknowledged and are sent again.
    const late = new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now())).unref())
    await Promise.race([this.#inbox.close(), late])
    await Promise.all(this.#links.map((link) => link.close(words.closedUnanswered)))
    this.#state.end()
  }

  #eventsOf(role: Role): ConstructorParameters<typeof ReconnectingLink>[2] {
    return {
      bound: () => {
        if (role !== 'receiver') this.#state.bound()
      },
      ended: (reason) => {
        if (role === 'receiver') return this.#state.noted(words.receiverLost(reason))
        this.#limiter.refuseWaiting()
        this.#state.failed(reason)
      },
      delivered: (fields, acknowledge) => this.#inbox.take(fields, acknowledge),
      odd: (what) => {
        this.#odd += 1
        this.#state.noted(what === 'answer' ? words.strayAnswers(this.#odd) : words.badBody)
      },
    }
  }

  async #send(fields: Readonly<Record<string, unknown>>, late: Late, mayLeave?: () => boolean): Promise<PartAnswer> {
    if (!this.#sends.bound || !(await this.#limiter.take(mayLeave)))
      return { kind: 'unsent', reason: this.#whyUnsent() }
    const sentAt = performance.now()
    this.#state.changed()
    const reply = await this.#sends.request('submit_sm', fields, late)
    this.#limiter.give()
    if (reply.kind !== 'answered') return reply
    const answer = answerOf(reply.status, reply.id)
    if (answer.kind === 'accepted') this.#limiter.accepted(sentAt)
    if (answer.kind === 'throttled') this.#limiter.throttled(sentAt)
    return answer
  }

  #whyUnsent(): string {
    if (this.#closing.signal.aborted) return words.closed
    if (this.#sends.bound) return words.busy
    return this.#state.now.lastError ?? words.connecting
  }
}
