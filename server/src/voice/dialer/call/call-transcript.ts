import type { CallCommand } from '@ghanti/callflow/call.ts'
import { partName, type Part } from '@ghanti/callflow/flow.ts'
import type { ChannelEvent } from '../../../drivers/telephony/driver.ts'
import type { TranscriptLine } from '../../../modules/test-calls/rules.ts'

export class CallTranscript {
  readonly #channelId: string
  readonly #emit: (line: TranscriptLine) => void

  constructor(channelId: string, emit: (line: TranscriptLine) => void) {
    this.#channelId = channelId
    this.#emit = emit
  }

  dialled(): void {
    this.#emit({ type: 'dialled' })
  }

  event(event: ChannelEvent): void {
    if (event.type === 'recordingEnded' || event.type === 'bridgePlaybackEnded') return
    if (event.channelId !== this.#channelId) {
      if (event.type === 'hungUp') this.#emit({ type: 'agentEnded' })
      return
    }
    if (event.type === 'ringing' || event.type === 'answered') this.#emit({ type: event.type })
    if (event.type === 'hungUp')
      this.#emit({ type: 'ended', byThem: event.endedBy === 'callee' || event.endedBy === 'network' })
  }

  command(command: CallCommand): void {
    switch (command.type) {
      case 'play':
        this.#emit({ type: 'plays', parts: command.parts.map(said) })
        break
      case 'wait':
        this.#emit({ type: 'waits', seconds: command.ms / 1000 })
        break
      case 'recordKey':
        this.#emit({ type: 'key', key: command.digit, valid: command.valid })
        break
      case 'bridgeAgent':
        this.#emit({
          type: 'agentCalled',
          number: command.number,
          ...(command.afterMs > 0 && { afterSeconds: command.afterMs / 1000 }),
        })
        break
      case 'record':
        this.#emit({ type: 'agentTalks' })
        break
      case 'hangUp':
        this.#emit({ type: 'weHangUp' })
        break
      case 'stopPlayback':
      case 'cancelWait':
      case 'hangUpAgent':
        break
    }
  }
}

function said(part: Part): { name: string; promptId?: number; column?: number } {
  const name = partName(part)
  return part.kind === 'prompt' ? { name, promptId: part.promptId } : { name, column: part.column }
}
