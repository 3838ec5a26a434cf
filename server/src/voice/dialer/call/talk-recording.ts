import { randomUUID } from 'node:crypto'
import type { ChannelEvent } from '../../../drivers/telephony/driver.ts'
import { bridgeOf } from '../../../dispatch/channel-names.ts'
import type { CallPorts } from './call-ports.ts'
import type { Call } from './call.ts'
import type { SavedCall } from '../../model/calls/saved-call.ts'

/**
 * The recording of a talk that has begun, and the notice that both sides hear before it. Neither holds up the talk: where the account has no
 * room, or the notice was not heard to its end, they go on talking and are not recorded. `notice`:
 * - none: none was asked for, or the talk has not begun;
 * - playing: asked for once; its end is reported, or looked for after a gap;
 * - over.
 */
export class TalkRecording {
  readonly #call: Call
  readonly #ports: CallPorts
  #recordingId: string | null = null
  #notice: SavedCall['notice'] = 'none'
  /** Somebody else may have asked for the notice before. */
  #noticeMayHavePlayed = false

  constructor(call: Call, ports: CallPorts) {
    this.#call = call
    this.#ports = ports
  }

  get saved(): Pick<SavedCall, 'recordingId' | 'notice'> {
    return { recordingId: this.#recordingId, notice: this.#notice }
  }

  restore({ recordingId, notice }: Pick<SavedCall, 'recordingId' | 'notice'>): void {
    this.#recordingId = recordingId
    this.#notice = notice
    if (recordingId) this.#ports.recording(this.#call, recordingId)
  }

  /** The talk begins, and its recording once the notice was heard. */
  async talks(): Promise<void> {
    if (this.#recordingId === null && !(await this.#ports.hasRoom(this.#call))) {
      this.#ports.withheld(this.#call, 'noRoom')
      return
    }
    const notice = this.#ports.notice(this.#call)
    if (notice === null) return await this.#begin()
    if (notice === 'missing' || this.#noticeMayHavePlayed) return this.#unheard()
    this.#notice = 'playing'
    this.#call.save()
    const reply = await this.#ports.connection.playToBridge(this.#bridgeId(), this.#noticeId(), [notice])
    if (reply === 'gone' && this.#notice === 'playing' && this.#call.agentChannelId !== null) this.#unheard()
  }

  /** A sound that both sides heard has ended. */
  played({ playbackId, failed }: Extract<ChannelEvent, { type: 'bridgePlaybackEnded' }>): void {
    if (this.#notice !== 'playing' || playbackId !== this.#noticeId() || this.#call.agentChannelId === null) return
    if (failed) return this.#unheard()
    this.#notice = 'over'
    this.#begin().catch((error: unknown) => this.#ports.failed(this.#call, 'the recording could not begin', error))
  }

  /** The agent answered while nobody listened. An engine that died may have asked for the notice after the last step that it saved. */
  foundUp(): void {
    this.#noticeMayHavePlayed = this.#call.isAdopted
  }

  /** After a gap in the events. A notice whose end nobody saw does not count as heard, and is not played again. */
  async goOn(): Promise<void> {
    if (this.#notice !== 'playing') return
    const isPlaying = await this.#ports.connection.isPlaying(this.#noticeId()).catch(() => false)
    if (!isPlaying && this.#notice === 'playing' && !this.#call.over) this.#unheard()
  }

  #unheard(): void {
    this.#notice = 'over'
    this.#ports.withheld(this.#call, 'noNotice')
    this.#call.save()
  }

  async #begin(): Promise<void> {
    const isNew = this.#recordingId === null
    const recordingId = (this.#recordingId ??= randomUUID())
    this.#ports.recording(this.#call, recordingId)
    this.#call.save()
    const reply = await this.#ports.connection.record(this.#bridgeId(), recordingId)
    if (reply !== 'gone' || !isNew) return
    this.#recordingId = null // the agent hung up before it could begin
    this.#ports.notRecorded(recordingId)
  }

  #bridgeId(): string {
    return bridgeOf(this.#call.attempt.channelId)
  }

  #noticeId(): string {
    return `${this.#call.attempt.channelId}-n`
  }
}
