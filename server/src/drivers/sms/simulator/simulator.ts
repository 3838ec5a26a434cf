import { splitSms } from '@ghanti/contract/sms-text.ts'
import type { Clock } from '../../../clock.ts'
import type {
  GatewayEvents,
  GatewayState,
  OpenGateway,
  OutgoingMessage,
  SimulatorSettings,
  SmsGateway,
  Submitted,
} from '../driver.ts'
import { RateLimiter } from '../rate-limiter.ts'
import { sendParts, type PartAnswer } from '../parts.ts'
import { StateReporter } from '../state.ts'
import { words } from '../words.ts'
import { MessageCentre, type Segment } from './message-centre.ts'

/** Simulated milliseconds. */
const bindMs = 300
const againMs = 10_000
const answerMsMax = 60_000
/** Real. */
const closeMs = 10_000
/** Which segment of each connection breaks it, at a gateway that cuts its connections. */
const cutsAt = 10

/** Gateways in this process. Their waits pass `speed` times faster than real; their rates are real. Once closed, they forget what was under way. */
export function simulatedGateways(speed: number): OpenGateway<SimulatorSettings> {
  return (settings, events, clock) => new Simulator(settings, events, clock, speed)
}

type Pending = (answer: PartAnswer) => void

class Simulator implements SmsGateway {
  readonly #settings: SimulatorSettings
  readonly #centre: MessageCentre
  readonly #limiter: RateLimiter
  readonly #state: StateReporter
  readonly #pending = new Set<Pending>()
  readonly #closing = new AbortController()
  #bound = false
  #sent = 0

  constructor(settings: SimulatorSettings, events: GatewayEvents, clock: Clock, speed: number) {
    this.#settings = settings
    this.#centre = new MessageCentre(speed, events, clock)
    this.#limiter = new RateLimiter(settings)
    this.#state = new StateReporter(this.#limiter, events, clock)
    this.#centre.after(bindMs, () => this.#bind())
  }

  get state(): GatewayState {
    return this.#state.now
  }

  async submit(message: OutgoingMessage): Promise<Submitted> {
    const of = splitSms(message.text).length
    const send = (index: number): Promise<PartAnswer> =>
      this.#send(
        { from: message.from, to: message.to, number: index + 1, of },
        index === 0 ? message.mayLeave : undefined,
      )
    const unnamed = (index: number): string => `${message.token}-${index}`
    return await sendParts(of, send, unnamed, this.#closing.signal)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#limiter.end()
    const until = performance.now() + closeMs
    while (this.#pending.size > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
    this.#lose(words.closedUnanswered)
    await this.#centre.close()
    this.#state.end()
  }

  #bind(): void {
    const { fault } = this.#settings
    if (this.#closing.signal.aborted) return
    if (fault !== 'unreachable' && fault !== 'refusesLogin') {
      this.#bound = true
      return this.#state.bound()
    }
    this.#state.failed(
      fault === 'unreachable'
        ? words.unreachable('connection refused')
        : words.bindRefused('the password is wrong', '0x0E'),
    )
    this.#centre.after(againMs, () => this.#bind())
  }

  async #send(segment: Segment, mayLeave?: () => boolean): Promise<PartAnswer> {
    if (!this.#bound) return { kind: 'unsent', reason: this.#state.now.lastError ?? words.connecting }
    if (!(await this.#limiter.take(mayLeave))) return { kind: 'unsent', reason: this.#whyNotSent() }
    const sentAt = performance.now()
    const answer = await new Promise<PartAnswer>((resolve) => this.#pass(segment, resolve))
    if (answer.kind === 'accepted') this.#limiter.accepted(sentAt)
    if (answer.kind === 'throttled') this.#limiter.throttled(sentAt)
    this.#limiter.give()
    this.#state.changed()
    return answer
  }

  #whyNotSent(): string {
    if (this.#closing.signal.aborted) return words.closed
    return this.#bound ? words.busy : words.lost
  }

  #pass(segment: Segment, resolve: (answer: PartAnswer) => void): void {
    const pending: Pending = (answer) => {
      if (!this.#pending.delete(pending)) return
      forget()
      resolve(answer)
    }
    // Whatever is due by now happens first: it may break the connection before anything has left.
    const forget = this.#centre.after(answerMsMax, () => pending({ kind: 'lost', reason: words.unanswered(60) }))
    if (!this.#bound) {
      forget()
      return resolve({ kind: 'unsent', reason: words.lost })
    }
    this.#pending.add(pending)
    this.#sent += 1
    this.#state.changed()
    const { fault } = this.#settings
    if (fault === 'silent') return
    if (fault === 'throttles') this.#centre.after(100, () => pending({ kind: 'throttled' }))
    else if (fault === 'cuts' && this.#sent % cutsAt === 0) this.#centre.after(100, () => this.#cut())
    else this.#centre.take(segment, (answer) => (answer === 'cut' ? this.#cut() : pending(answer)))
  }

  #cut(): void {
    this.#bound = false
    this.#limiter.refuseWaiting()
    this.#lose(words.lostUnanswered)
    this.#state.failed(words.lost)
    this.#centre.after(bindMs, () => this.#bind())
  }

  #lose(reason: string): void {
    for (const pending of this.#pending) pending({ kind: 'lost', reason })
  }
}
