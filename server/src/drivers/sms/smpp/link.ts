import * as net from 'node:net'
import * as tls from 'node:tls'
import type { SmppSettings } from '../driver.ts'
import { whyNot, words } from '../words.ts'
import { decodePdu, encodePdu, Framer, textOf, type Pdu } from './codec.ts'
import { codeOf, whyOf } from './status.ts'

export type Role = 'transceiver' | 'transmitter' | 'receiver'
export type Times = {
  /** To connect, and to answer the login. */
  bindMs: number
  answerMs: number
  enquireEveryMs: number
  enquireMs: number
  /** For messages in flight when it is closed. */
  closeMs: number
}
export const usualTimes: Times = {
  closeMs: 10_000,
  bindMs: 10_000,
  answerMs: 30_000,
  enquireEveryMs: 15_000,
  enquireMs: 10_000,
}

type Fields = Readonly<Record<string, unknown>>
export type LinkEvents = {
  bound(): void
  /** The listener calls `acknowledge` with a command_status when the message is stored, or cannot be. */
  delivered(fields: Fields, acknowledge: (status: number) => void): void
  /** The peer sent something invalid, which is ignored. */
  odd(what: 'answer' | 'body'): void
  /** Called once, also when it was never bound. */
  ended(reason: string): void
}
type Answered = { kind: 'answered'; status: number; id: string }
export type Reply = Answered | { kind: 'lost'; reason: string }
/** Called once with an answer that comes too late, as long as the connection lasts. */
export type Late = (reply: Answered) => void

type Pending = { command: string; until: number; resolve: (reply: Reply) => void; late: Late | undefined }
type Swept = { command: string; late: Late }

const sweepMs = 250
const unbindMs = 1000
const sequenceMax = 0x7fff_ffff
/** With more unsent bytes than this, nothing is read that would need an answer. */
const unsentMax = 1_000_000
/** How many requests may still be answered late; beyond that the oldest are forgotten. */
const sweptMax = 20_000
/** Requests without a message in one interval of the sweep; gateways send one in several seconds. */
const emptyMax = 2500
/** How long one connection may keep this process busy in one interval of the sweep: a fifth. The rest is read in the next ones. */
const busyMsMax = 50
const unknownCommand = 0x03
const permanentlyRefused = 0x66
const unnamedError = 0xff

/** One connection: login, requests and answers, enquire_link. It never reconnects; reconnecting-link.ts makes a new one. */
export class Link {
  readonly #settings: SmppSettings
  readonly #role: Role
  readonly #events: LinkEvents
  readonly #times: Times
  readonly #socket: net.Socket
  readonly #framer = new Framer()
  readonly #pending = new Map<number, Pending>()
  /** Requests that were not answered in time, oldest first. */
  readonly #swept = new Map<number, Swept>()
  readonly #timers: NodeJS.Timeout[]
  #sequence = 0
  #bound = false
  #ended = false
  #paused = false
  #wantsPause = false
  /** Requests without a message since the last interval in which reading needed no rest. */
  #empty = 0
  /** What was read and has to wait for the next interval: at most one chunk. */
  readonly #untaken: Buffer[] = []
  #badLength: number | null = null
  /** What reading cost since the last sweep. */
  #busyMs = 0
  #pausedAt = 0
  /** Since when the peer has accepted no bytes; null while it does. */
  #stuckSince: number | null = null

  constructor(settings: SmppSettings, role: Role, events: LinkEvents, times: Times) {
    this.#settings = settings
    this.#role = role
    this.#events = events
    this.#times = times
    this.#socket = connect(settings, () => this.#bind())
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', (error) => this.#end(this.#bound ? words.lost : words.unreachable(whyNot(error))))
    this.#socket.on('close', () => this.#end(words.lost))
    this.#socket.on('drain', () => this.#pauseIfNeeded())
    const bindBy = setTimeout(() => {
      if (!this.#bound) this.#end(words.bindSilent(times.bindMs / 1000))
    }, times.bindMs)
    this.#timers = [bindBy, setInterval(() => this.#sweep(), sweepMs)]
  }

  get bound(): boolean {
    return this.#bound
  }

  get open(): number {
    return this.#pending.size
  }

  async request(
    command: string,
    fields: Fields,
    { withinMs = this.#times.answerMs, late }: { withinMs?: number; late?: Late | undefined } = {},
  ): Promise<Reply> {
    if (this.#ended) return { kind: 'lost', reason: words.lost }
    this.#sequence = (this.#sequence % sequenceMax) + 1
    const sequence = this.#sequence
    const bytes = encodePdu(command, { ...fields, sequence })
    return await new Promise<Reply>((resolve) => {
      this.#pending.set(sequence, { command, until: performance.now() + withinMs, resolve, late })
      this.#socket.write(bytes)
    })
  }

  /** Stops or resumes reading. A pause does not count against the gateway's time to answer. */
  pause(wanted: boolean): void {
    this.#wantsPause = wanted
    this.#pauseIfNeeded()
  }

  async close(reason: string): Promise<void> {
    const leave = setTimeout(() => this.#end(reason), unbindMs) // reading may be paused, so the answer may never arrive
    if (this.#bound && !this.#ended) await this.request('unbind', {}, { withinMs: unbindMs })
    clearTimeout(leave)
    this.#end(reason)
  }

  #bind(): void {
    if (this.#ended) return
    const { systemId, password, systemType } = this.#settings
    const fields = { system_id: systemId, password, system_type: systemType, interface_version: 0x34 }
    void this.request(`bind_${this.#role}`, fields, { withinMs: this.#times.bindMs }).then((reply) => {
      if (reply.kind === 'lost') return this.#end(words.bindSilent(this.#times.bindMs / 1000))
      if (reply.status !== 0) return this.#end(words.bindRefused(whyOf(reply.status), codeOf(reply.status)))
      this.#bound = true
      this.#timers.push(setInterval(() => void this.#enquire(), this.#times.enquireEveryMs))
      this.#events.bound()
    })
  }

  async #enquire(): Promise<void> {
    if (this.#paused) return
    const reply = await this.request('enquire_link', {}, { withinMs: this.#times.enquireMs })
    if (reply.kind === 'lost') this.#end(words.silent(this.#times.enquireMs / 1000))
  }

  #read(chunk: Buffer): void {
    const { messages, badLength } = this.#framer.push(chunk)
    this.#untaken.push(...messages)
    this.#badLength = badLength
    this.#takeAll()
  }

  #takeAll(): void {
    const before = this.#busyMs
    const began = performance.now()
    let taken = 0
    for (const bytes of this.#untaken) {
      if (this.#ended || this.#busyMs > busyMsMax) break
      this.#take(decodePdu(bytes))
      taken += 1
      this.#busyMs = before + performance.now() - began
    }
    this.#untaken.splice(0, taken)
    if (this.#badLength !== null && this.#untaken.length === 0) this.#end(words.badLength(this.#badLength))
    this.#pauseIfNeeded()
  }

  #take(pdu: Pdu): void {
    const { command, sequence, fields } = pdu
    if (command.endsWith('_resp') || command === 'generic_nack') return this.#answered(pdu)
    if (command === 'deliver_sm' || command === 'data_sm') {
      if (fields) return this.#events.delivered(fields, (status) => this.#answer(`${command}_resp`, sequence, status))
      this.#events.odd('body')
      return this.#answer(`${command}_resp`, sequence, permanentlyRefused)
    }
    if (++this.#empty > emptyMax) return this.#end(words.floods((emptyMax * 1000) / sweepMs))
    if (command === 'enquire_link') return this.#answer('enquire_link_resp', sequence)
    if (command === 'unbind') {
      this.#answer('unbind_resp', sequence)
      return this.#end(words.unbound)
    }
    if (command !== 'alert_notification' && command !== 'outbind')
      this.#answer('generic_nack', sequence, unknownCommand)
  }

  #answered({ command, sequence, status, fields }: Pdu): void {
    const pending = this.#pending.get(sequence)
    const asked = pending ?? this.#swept.get(sequence)
    const isRefusal = command === 'generic_nack'
    if (!asked || (!isRefusal && command !== `${asked.command}_resp`)) return this.#events.odd('answer')
    this.#pending.delete(sequence)
    this.#swept.delete(sequence)
    const id = fields ? textOf(fields, 'message_id') : ''
    const reply: Answered = { kind: 'answered', status: isRefusal && status === 0 ? unnamedError : status, id }
    if (pending) pending.resolve(reply)
    else asked.late?.(reply)
  }

  #answer(command: string, sequence: number, status = 0): void {
    if (this.#ended) return
    this.#socket.write(encodePdu(command, { sequence, status }))
    this.#pauseIfNeeded()
  }

  #pauseIfNeeded(): void {
    const needed = this.#wantsPause || this.#busyMs > busyMsMax || this.#socket.writableLength > unsentMax
    if (needed === this.#paused || this.#ended) return
    if (needed) {
      this.#paused = true
      this.#pausedAt = performance.now()
      this.#socket.pause()
      return
    }
    // Unread bytes may contain the answers. No more than the pause, or whoever floods would never be late.
    const pausedMs = performance.now() - this.#pausedAt
    for (const pending of this.#pending.values()) pending.until += pausedMs
    this.#paused = false
    this.#socket.resume()
  }

  #sweep(): void {
    if (this.#busyMs <= busyMsMax) this.#empty = 0
    this.#busyMs = 0
    this.#takeAll()
    const now = performance.now()
    this.#stuckSince = this.#socket.writableLength > unsentMax ? (this.#stuckSince ?? now) : null
    if (this.#stuckSince !== null && now - this.#stuckSince > this.#times.enquireMs)
      return this.#end(words.readsNothing(this.#times.enquireMs / 1000))
    if (this.#paused) return
    for (const [sequence, pending] of this.#pending) {
      if (pending.until > now) continue
      this.#pending.delete(sequence)
      this.#keepSwept(sequence, pending)
      pending.resolve({ kind: 'lost', reason: words.unanswered(this.#times.answerMs / 1000) })
    }
  }

  #keepSwept(sequence: number, { command, late }: Pending): void {
    if (!late) return
    this.#swept.set(sequence, { command, late })
    if (this.#swept.size <= sweptMax) return
    for (const oldest of this.#swept.keys()) return void this.#swept.delete(oldest)
  }

  #end(reason: string): void {
    if (this.#ended) return
    this.#ended = true
    this.#bound = false
    for (const timer of this.#timers) clearTimeout(timer)
    this.#socket.destroySoon()
    setTimeout(() => this.#socket.destroy(), unbindMs).unref()
    for (const pending of this.#pending.values()) pending.resolve({ kind: 'lost', reason: words.lostUnanswered })
    this.#pending.clear()
    this.#swept.clear()
    this.#events.ended(reason)
  }
}

function connect({ host, port, tls: isTls, certificate }: SmppSettings, ready: () => void): net.Socket {
  if (!isTls) return net.connect({ host, port }, ready)
  const name = net.isIP(host) === 0 ? { servername: host } : {}
  const socket = tls.connect({ host, port, ...name, rejectUnauthorized: certificate === null }, () => {
    const shown = socket.getPeerCertificate().fingerprint256?.replaceAll(':', '').toLowerCase()
    if (certificate === null || shown === certificate.replaceAll(':', '').toLowerCase()) ready()
    else socket.destroy(new Error(words.untrusted))
  })
  return socket
}
