import type { SipMessage } from '../../driver.ts'

/** How many calls' messages are kept until somebody asks: at a hundred calls a second, those of the last 40 s. */
const callsMax = 4000
const messagesOfCallMax = 100
/** The far end decides how long messages are, and how many it sends. A usual call has ten thousand letters. */
const lettersOfCallMax = 100_000
const lettersMax = 32_000_000

type Call = { messages: SipMessage[]; letters: number; isWhole: boolean }

/** SIP messages by Call-ID, until they are taken. Of too many, the oldest calls are forgotten. */
export class KeptMessages {
  readonly #calls = new Map<string, Call>()
  #letters = 0

  /** Messages of a call that does not begin with an INVITE of ours are left out. */
  add(callId: string, message: SipMessage): void {
    const call = this.#calls.get(callId) ?? { messages: [], letters: 0, isWhole: true }
    if (call.messages.length === 0 && !(message.sent && message.text.startsWith('INVITE '))) return
    const { length } = message.text
    const dialer = message.dialer || (call.messages[0]?.dialer ?? '') // that of its first INVITE
    if (call.messages.length >= messagesOfCallMax || call.letters + length > lettersOfCallMax) {
      call.isWhole = false
      return
    }
    call.messages.push({ ...message, dialer })
    call.letters += length
    this.#letters += length
    this.#calls.set(callId, call)
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= callsMax && this.#letters <= lettersMax) break
      this.take(oldest)
    }
  }

  of(callId: string): readonly SipMessage[] {
    return this.#calls.get(callId)?.messages ?? []
  }

  /** Whether all messages of the call so far are kept. */
  isWhole(callId: string): boolean {
    return this.#calls.get(callId)?.isWhole ?? false
  }

  /** Messages were sent or received that nobody kept. */
  missed(): void {
    for (const call of this.#calls.values()) call.isWhole = false
  }

  take(callId: string): SipMessage[] {
    const call = this.#calls.get(callId)
    this.#calls.delete(callId)
    this.#letters -= call?.letters ?? 0
    return call?.messages ?? []
  }
}
