import type { CallCommand } from '@ghanti/callflow/call.ts'
import type { CallPorts } from './call-ports.ts'
import type { Call } from './call.ts'
import { mediaOf } from '../../model/calls/plan.ts'

type CustomerCommand = Extract<CallCommand, { type: 'play' | 'stopPlayback' | 'wait' | 'cancelWait' | 'hangUp' }>

/** Sends the flow's commands for the customer's channel to the dialer, one after the other, and times the flow's waits. */
export class CustomerLeg {
  readonly #call: Call
  readonly #ports: CallPorts
  readonly #waits = new Map<number, NodeJS.Timeout>()
  #commands: Promise<void> = Promise.resolve()

  constructor(call: Call, ports: CallPorts) {
    this.#call = call
    this.#ports = ports
  }

  carryOut(command: CustomerCommand): void {
    const { connection } = this.#ports
    switch (command.type) {
      case 'play':
        this.afterwards(() => this.#play(command))
        break
      case 'stopPlayback':
        this.afterwards(() => connection.stopPlayback(this.#playbackId(command.step)))
        break
      case 'wait': {
        const ended = () => this.#call.feed({ type: 'waitEnded', step: command.step })
        this.#waits.set(command.step, setTimeout(ended, command.ms / connection.speed))
        break
      }
      case 'cancelWait':
        clearTimeout(this.#waits.get(command.step))
        this.#waits.delete(command.step)
        break
      case 'hangUp':
        this.hangUp()
        break
    }
  }

  hangUp(): void {
    this.afterwards(() => this.#ports.connection.hangUp(this.#call.attempt.channelId))
  }

  afterwards(run: () => Promise<unknown>): void {
    this.#commands = this.#commands.then(run).then(
      () => undefined,
      (error: unknown) => this.#ports.failed(this.#call, 'a command failed', error),
    )
  }

  /** Whether the step's sounds are still playing. False also when the dialer does not say. */
  isPlaying(step: number): Promise<boolean> {
    return this.#ports.connection.isPlaying(this.#playbackId(step)).catch(() => false)
  }

  stepOf(playbackId: string): number {
    return Number(playbackId.slice(this.#playbackId('').length))
  }

  drop(): void {
    for (const timer of this.#waits.values()) clearTimeout(timer)
  }

  async #play({ step, parts }: Extract<CallCommand, { type: 'play' }>): Promise<void> {
    const { attempt, plan } = this.#call
    try {
      await this.#ports.connection.play(attempt.channelId, this.#playbackId(step), mediaOf(plan, parts, attempt.spoken))
    } catch (error) {
      this.#call.promptFailed(String(error))
    }
  }

  #playbackId(step: number | ''): string {
    return `${this.#call.attempt.channelId}-p${step}`
  }
}
