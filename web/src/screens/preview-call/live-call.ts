import type { CallCommand } from '@ghanti/callflow/call.ts'
import type { Flow, Part } from '@ghanti/callflow/flow.ts'
import { happen, isUp, unheard, type Happening, type HeardCall } from './heard-call.ts'

/** What a previewed call needs from its environment; times in ms. */
export type DecisionContext = {
  now: () => number
  /** Runs it once; the result cancels it. */
  after: (ms: number, run: () => void) => () => void
  /** Plays sounds without gaps. Returns their durations and a way to stop. */
  play: (parts: readonly Part[]) => { durationsMs: readonly number[]; stop: () => void }
}

/** A call in the browser, in real time: carries out the interpreter's commands and reports events to it. */
export class LiveCall {
  readonly #flow: Flow
  readonly #around: DecisionContext
  readonly #listeners = new Set<() => void>()
  #heard = unheard()
  #answeredAt = 0
  #cancel: () => void = () => undefined

  constructor(flow: Flow, around: DecisionContext) {
    this.#flow = flow
    this.#around = around
  }

  readonly heard = (): HeardCall => this.#heard

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly start = (): void => {
    this.#cancel()
    this.#heard = unheard()
    this.#answeredAt = this.#around.now()
    this.happen({ type: 'answered' })
  }

  readonly hangUp = (): void => this.happen({ type: 'hungUp' })
  readonly press = (digit: string): void => this.happen({ type: 'digit', digit })
  readonly agentAnswers = (): void => this.#agent('agentAnswered')
  readonly agentHangsUp = (): void => this.#agent('agentHungUp')
  readonly agentFails = (): void =>
    this.happen({ type: 'agentFailed', step: this.#heard.call.step, reason: 'no answer' })

  #agent(type: 'agentAnswered' | 'agentHungUp'): void {
    this.happen({ type, step: this.#heard.call.step })
  }

  happen(happening: Happening): void {
    const { heard, commands } = happen(this.#flow, this.#heard, happening, this.#around.now() - this.#answeredAt)
    this.#heard = heard
    if (!isUp(heard) || heard.call.at === 'talking') this.#cancel()
    for (const command of commands) this.#execute(command)
    this.#listeners.forEach((listener) => listener())
  }

  #execute(command: CallCommand): void {
    const { step } = command.type === 'hangUp' || command.type === 'recordKey' ? { step: 0 } : command
    switch (command.type) {
      case 'play':
        return this.#play(step, command.parts)
      case 'wait':
        return this.#later(command.ms, { type: 'waitEnded', step })
      case 'bridgeAgent':
        return this.#later(command.ringMs, { type: 'agentFailed', step, reason: 'no answer' })
      case 'stopPlayback':
      case 'cancelWait':
      case 'hangUpAgent':
      case 'hangUp':
        return this.#cancel()
      // Neither is audible.
      case 'record':
      case 'recordKey':
    }
  }

  #later(ms: number, happening: Happening): void {
    this.#cancel()
    this.#cancel = this.#around.after(ms, () => this.happen(happening))
  }

  #play(step: number, parts: readonly Part[]): void {
    this.#cancel()
    const { durationsMs, stop } = this.#around.play(parts)
    const undo = [stop]
    this.#cancel = () => undo.forEach((one) => one())
    let atMs = 0
    durationsMs.forEach((durationMs, index) => {
      const began = () => this.happen({ type: 'partBegan', step, index })
      if (index === 0)
        this.#heard = happen(this.#flow, this.#heard, { type: 'partBegan', step, index }, this.#sinceAnswer()).heard
      else undo.push(this.#around.after(atMs, began))
      atMs += durationMs
    })
    undo.push(this.#around.after(atMs, () => this.happen({ type: 'promptEnded', step })))
  }

  #sinceAnswer(): number {
    return this.#around.now() - this.#answeredAt
  }
}
