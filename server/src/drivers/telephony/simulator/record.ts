import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { createInterface } from 'node:readline'
import type { ChannelRecord } from '../driver.ts'

/**
 * The dialer's own record, like Asterisk's CEL: one appended line per event, which outlives the client. There are two files, so that the older one
 * can be deleted without a gap.
 */
export class RecordFile {
  readonly #path: string
  readonly #olderPath: string
  #descriptor: number
  #pending: string[] = []
  /** Every channel in the older file began before this. */
  #rotatedAt: number

  constructor(path: string, now: number) {
    this.#path = path
    this.#olderPath = `${path}.older`
    this.#descriptor = openAtLineStart(path)
    this.#rotatedAt = now
  }

  add(event: 'CHAN_START' | 'ANSWER' | 'HANGUP', at: number, channelId: string, extra: Record<string, unknown>): void {
    this.#pending.push(`${event},${at},${channelId},${JSON.stringify(extra)}\n`)
  }

  /** Called before events are reported, so that whatever is reported is also on record. */
  flush(): void {
    if (this.#pending.length === 0) return
    writeSync(this.#descriptor, this.#pending.join(''))
    this.#pending = []
  }

  async read(since: number): Promise<ChannelRecord[]> {
    this.flush()
    const channels = new Map<string, ChannelRecord>()
    for (const path of [this.#olderPath, this.#path]) {
      if (!existsSync(path)) continue
      for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
        readLine(line, channels)
      }
    }
    return [...channels.values()].filter((channel) => channel.startedAt >= since)
  }

  /** Deletes the older file when everything in it is settled, and starts a new one. */
  trim(before: number, now: number): void {
    if (existsSync(this.#olderPath) && this.#rotatedAt >= before) return
    this.flush()
    closeSync(this.#descriptor)
    rmSync(this.#olderPath, { force: true })
    renameSync(this.#path, this.#olderPath)
    this.#descriptor = openAtLineStart(this.#path)
    this.#rotatedAt = now
  }

  close(): void {
    this.flush()
    closeSync(this.#descriptor)
  }
}

/** A killed writer may have left half a line. */
function openAtLineStart(path: string): number {
  const descriptor = openSync(path, 'a+')
  const { size } = fstatSync(descriptor)
  const last = Buffer.alloc(1)
  if (size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== '\n')
    writeSync(descriptor, '\n')
  return descriptor
}

const lineForm = /^(CHAN_START|ANSWER|HANGUP),(\d+),([^,]+),(\{.*\})$/
const hangUpForm = /"hangupcause":(\d+|null),"hangupsource":"([^"]*)"/

/** Skips torn lines and lines of another form. */
function readLine(line: string, channels: Map<string, ChannelRecord>): void {
  const [, event, time, channelId, extra] = lineForm.exec(line) ?? []
  if (!event || !time || !channelId || !extra) return
  const at = Number(time)
  const known = channels.get(channelId)
  if (event === 'CHAN_START') {
    channels.set(channelId, {
      channelId,
      startedAt: at,
      answeredAt: null,
      endedAt: null,
      cause: null,
      endedByFarEnd: false,
    })
  } else if (event === 'ANSWER' && known) {
    known.answeredAt = at
  } else if (event === 'HANGUP' && known) {
    const [, cause, source] = hangUpForm.exec(extra) ?? []
    known.endedAt = at
    known.cause = cause === undefined || cause === 'null' ? null : Number(cause)
    known.endedByFarEnd = source !== ''
  }
}
