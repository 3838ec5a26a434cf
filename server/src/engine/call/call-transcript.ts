import type { CallCommand } from '@ghanti/callflow/call.ts'
import { partName, type Part } from '@ghanti/callflow/flow.ts'
import type { ChannelEvent } from '../../drivers/telephony/driver.ts'
import type { TranscriptLine } from '../../modules/test-calls/rules.ts'

export class CallTranscript {
  readonly #channelId: string
  readonly #tell: (line: TranscriptLine) => void

  constructor(channelId: string, tell: (line: TranscriptLine) => void) {
    this.#channelId = channelId
    this.#tell = tell
  }

  dialled(): void {
    this.#tell({ type: 'dialled' })
  }

  event(event: ChannelEvent): void {
    if (event.type === 'recordingEnded') return
    if (event.channelId !== this.#channelId) {
      if (event.type === 'hungUp') this.#tell({ type: 'agentEnded' })
      return
    }
    if (event.type === 'ringing' || event.type === 'answered') this.#tell({ type: event.type })
    if (event.type === 'hungUp')
      this.#tell({ type: 'ended', byThem: event.endedBy === 'callee' || event.endedBy === 'network' })
  }

  command(command: CallCommand): void {
    switch (command.type) {
      case 'play':
        this.#tell({ type: 'plays', parts: command.parts.map(said) })
        break
      case 'wait':
        this.#tell({ type: 'waits', seconds: command.ms / 1000 })
        break
      case 'recordKey':
        this.#tell({ type: 'key', key: command.digit, valid: command.valid })
        break
      case 'bridgeAgent':
        this.#tell({ type: 'agentCalled', number: command.number })
        break
      case 'record':
        this.#tell({ type: 'agentTalks' })
        break
      case 'hangUp':
        this.#tell({ type: 'weHangUp' })
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
