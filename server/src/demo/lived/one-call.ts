import { start, step, type CallCommand, type CallEvent, type CallState } from '@ghanti/callflow/call.ts'
import type { Flow, Menu, Part } from '@ghanti/callflow/flow.ts'
import { follow, noTrail, trailText, type Trail } from '@ghanti/callflow/trail.ts'
import type { AgentMissed, CallEnder } from '../../db/tables.ts'
import type { Random } from '../../lib/random.ts'

/** An answered call of the past. Times in ms. */
type AnsweredCall = {
  billMs: number
  patchBillMs: number | null
  keys: string
  trail: string
  endedBy: CallEnder
  agent: string | null
  agentMissed: AgentMissed | null
}

const between = (random: Random, from: number, to: number): number => Math.round(from + random() * (to - from))

/** Of a spoken part, the flow has the longest value. */
const partMs = (part: Part): number => (part.kind === 'spoken' ? Math.round(part.durationMs * 0.8) : part.durationMs)

/** A person of the demo, who listens to a call flow. */
export function answeredCall(flow: Flow, random: Random): AnsweredCall {
  return new Listener(flow, random).listen()
}

/** Each event of the call is one of the call flow's, so that keys and trail are what an engine would have recorded. */
class Listener {
  readonly #flow: Flow
  readonly #random: Random
  /** Hangs up then, whatever plays. */
  readonly #leavesAt: number
  readonly #presses: boolean
  #state: CallState = start()
  #trail: Trail = noTrail
  /** Since the answer. */
  #at = 0
  #keys = ''
  #patchBillMs: number | null = null
  #agent: string | null = null
  #agentMissed: AgentMissed | null = null

  constructor(flow: Flow, random: Random) {
    this.#flow = flow
    this.#random = random
    this.#presses = random() < 0.62
    const mood = random()
    if (mood < 0.2) this.#leavesAt = between(random, 1000, 9000)
    else if (mood < 0.32) this.#leavesAt = between(random, 10_000, 30_000)
    else this.#leavesAt = Infinity
  }

  listen(): AnsweredCall {
    let commands = this.#happens({ type: 'answered' })
    for (;;) {
      const next = commands.at(-1)
      if (!next || next.type === 'hangUp') return this.#ended('us')
      const event = this.#reply(next)
      if (!event || event.type === 'hungUp') return this.#ended('customer')
      commands = this.#happens(event)
    }
  }

  /** Null: hangs up meanwhile. */
  #reply(command: CallCommand): CallEvent | null {
    switch (command.type) {
      case 'play':
        return this.#hears(command.parts.reduce((sum, part) => sum + partMs(part), 0))
      case 'wait':
        if (this.#presses) return this.#waits(between(this.#random, 500, Math.max(501, command.ms - 200)), this.#key())
        return this.#waits(command.ms, { type: 'waitEnded', step: this.#state.step })
      case 'bridgeAgent':
        return this.#rings(command.number)
      case 'record':
        this.#patchBillMs = between(this.#random, 20_000, 110_000)
        this.#at += this.#patchBillMs
        return this.#random() < 0.6 ? { type: 'hungUp' } : { type: 'agentHungUp', step: this.#state.step }
      default:
        throw new Error(`a call of the demo cannot go on after ${command.type}`)
    }
  }

  #hears(ms: number): CallEvent | null {
    const pressesAt = Math.round(ms * (0.55 + this.#random()))
    const isAsked = this.#state.at === 'asking' && this.#presses && this.#menu !== undefined
    if (isAsked && pressesAt < ms) return this.#waits(pressesAt, this.#key())
    return this.#waits(ms, { type: 'promptEnded', step: this.#state.step })
  }

  #waits(ms: number, event: CallEvent): CallEvent | null {
    if (this.#at + ms <= this.#leavesAt) {
      this.#at += ms
      return event
    }
    this.#at = Math.max(this.#at, this.#leavesAt)
    return null
  }

  #rings(number: string): CallEvent {
    this.#agent = number
    this.#at += between(this.#random, 4000, 14_000)
    if (this.#random() < 0.85) return { type: 'agentAnswered', step: this.#state.step }
    this.#agentMissed = 'notReached'
    return { type: 'agentFailed', step: this.#state.step, reason: 'no answer' }
  }

  get #menu(): Menu | undefined {
    return this.#flow.menus[this.#state.menu]
  }

  /** The first key of a menu is the most frequent one; few press one that it does not have. */
  #key(): CallEvent {
    const digits = this.#menu?.keys.map(({ digit }) => digit) ?? []
    const chance = this.#random()
    const nth = chance < 0.55 ? 0 : chance < 0.8 ? 1 : 2
    const digit = chance > 0.97 ? '7' : (digits[Math.min(nth, digits.length - 1)] ?? '7')
    return { type: 'digit', digit }
  }

  #happens(event: CallEvent): CallCommand[] {
    const next = step(this.#flow, this.#state, event)
    this.#trail = follow(this.#flow, this.#trail, { before: this.#state, event, next, at: this.#at }, partMs)
    for (const command of next.commands) if (command.type === 'recordKey' && command.valid) this.#keys += command.digit
    this.#state = next.state
    return next.commands
  }

  #ended(endedBy: CallEnder): AnsweredCall {
    const end = { state: this.#state, at: this.#at, byFarEnd: endedBy === 'customer' }
    return {
      billMs: this.#at,
      patchBillMs: this.#patchBillMs,
      keys: this.#keys,
      trail: trailText(this.#flow, this.#trail, end),
      endedBy,
      agent: this.#agent,
      agentMissed: this.#patchBillMs === null ? this.#agentMissed : null,
    }
  }
}
