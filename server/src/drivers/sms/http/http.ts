import {
  idRuleOf,
  isSuccess,
  messageIdIn,
  successRuleOf,
  type IdRule,
  type SuccessRule,
} from '@ghanti/contract/sms-reply-rule.ts'
import type { Clock } from '../../../clock.ts'
import type { AllowedHosts } from '../../outgoing.ts'
import { ForbiddenAddress } from '../../outgoing.ts'
import type {
  GatewayEvents,
  GatewayState,
  HttpSettings,
  OpenGateway,
  OutgoingMessage,
  SmsGateway,
  Submitted,
} from '../driver.ts'
import { RateLimiter } from '../rate-limiter.ts'
import { StateReporter } from '../state.ts'
import { whyNot, words } from '../words.ts'
import { HttpClient, type HttpOutcome } from './http-client.ts'
import { pingOf, requestFor } from './request.ts'

export type HttpTimes = { answerMs: number; closeMs: number }
const usualHttpTimes: HttpTimes = { answerMs: 20_000, closeMs: 10_000 }

/** Gateways over HTTP, with one request for each message. Their later reports come to the server's callback (sms-callback.ts). */
export function httpGateways(allowed: AllowedHosts, times: HttpTimes = usualHttpTimes): OpenGateway<HttpSettings> {
  return (settings, events, clock) => new HttpGateway(settings, events, clock, allowed, times)
}

class HttpGateway implements SmsGateway {
  readonly #settings: HttpSettings
  readonly #success: SuccessRule
  readonly #messageId: IdRule
  readonly #client: HttpClient
  readonly #limiter: RateLimiter
  readonly #state: StateReporter
  readonly #times: HttpTimes
  readonly #closing = new AbortController()
  #isClosed = false

  constructor(settings: HttpSettings, events: GatewayEvents, clock: Clock, allowed: AllowedHosts, times: HttpTimes) {
    this.#settings = settings
    this.#success = successRuleOf(settings.success) ?? { kind: 'status' }
    this.#messageId = idRuleOf(settings.messageId) ?? { kind: 'none' }
    this.#times = times
    this.#client = new HttpClient(allowed, times.answerMs)
    this.#limiter = new RateLimiter(settings)
    this.#state = new StateReporter(this.#limiter, events, clock)
    queueMicrotask(() => this.#state.bound()) // deferred, so that the caller of open has its gateway by then
  }

  get state(): GatewayState {
    return this.#state.now
  }

  async submit(message: OutgoingMessage): Promise<Submitted> {
    if (!(await this.#limiter.take(message.mayLeave)))
      return { kind: 'unsent', reason: this.#isClosed ? words.closed : words.busy }
    const sentAt = performance.now()
    this.#state.changed()
    const asked = await this.#client.send(requestFor(this.#settings, message), this.#closing.signal)
    this.#limiter.give()
    const submitted = this.#outcomeOf(asked, message)
    if (submitted.kind === 'accepted') this.#limiter.accepted(sentAt)
    if (submitted.kind === 'throttled') this.#limiter.throttled(sentAt)
    return submitted
  }

  async ping(): Promise<string | null> {
    const asked = await this.#client.send(pingOf(this.#settings), this.#closing.signal)
    if (asked.kind === 'unreached') return this.#unreached(asked.error)
    if (asked.kind === 'lost') return lostWords(asked.why, this.#times.answerMs)
    this.#replied()
    return null
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#limiter.end()
    const until = performance.now() + this.#times.closeMs
    while (this.#limiter.used > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))
    this.#closing.abort()
    this.#client.close()
    this.#state.end()
  }

  #outcomeOf(asked: HttpOutcome, message: OutgoingMessage): Submitted {
    if (asked.kind === 'replied') {
      this.#replied()
      return this.#readReply(asked, message)
    }
    if (asked.kind === 'unreached') {
      const reason = this.#unreached(asked.error)
      return { kind: 'unsent', reason: this.#closing.signal.aborted ? words.closed : reason }
    }
    const reason = this.#closing.signal.aborted ? words.closedUnanswered : lostWords(asked.why, this.#times.answerMs)
    this.#state.noted(reason)
    return { kind: 'unknown', reason, answered: false, ids: [] }
  }

  #replied(): void {
    if (!this.#state.now.bound && !this.#isClosed) this.#state.bound()
  }

  #unreached(error: Error): string {
    const reason = error instanceof ForbiddenAddress ? words.forbidden : words.unreachable(whyNot(error))
    this.#state.failed(reason)
    return reason
  }

  #readReply({ status, text }: Extract<HttpOutcome, { kind: 'replied' }>, { token }: OutgoingMessage): Submitted {
    const isOk = status >= 200 && status < 300
    if (isSuccess(this.#success, { isOk, text })) {
      const id = messageIdIn(this.#messageId, text)
      return { kind: 'accepted', ids: [id === '' ? token : id] }
    }
    if (status === 429 || status === 503) return { kind: 'throttled' }
    if (status >= 500) {
      const reason = words.errorReply(status)
      this.#state.noted(reason)
      return { kind: 'unknown', reason, answered: false, ids: [] }
    }
    const whose = status === 400 || status === 422 ? 'message' : 'gateway'
    return {
      kind: 'refused',
      whose,
      code: String(status),
      reason: words.refused(summaryOf(text), String(status)),
      ids: [],
    }
  }
}

function lostWords(why: 'cut' | 'slow' | 'long', answerMs: number): string {
  if (why === 'slow') return words.unanswered(answerMs / 1000)
  return why === 'cut' ? words.lostUnanswered : words.longReply
}

const summaryMax = 150

function summaryOf(text: string): string {
  const line = text
    .slice(0, 4 * summaryMax)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, summaryMax)
    .toWellFormed()
  return line === '' || line.startsWith('<') ? 'no reason was given' : line
}
