/**
 * SMPP 3.4 messages as bytes, by the codec of npm `smpp` without its sessions (docs/adr/14). Texts stay bytes: the codec misreads some texts and
 * user data headers, so texts.ts reads them.
 */
import { ownValue } from '@ghanti/contract/own-values.ts'
import smpp from 'smpp'

const { deliver_sm } = smpp.commands
const { buffer, cstring, tlv } = smpp.types
smpp.addCommand('deliver_sm', {
  id: 0x05,
  params: {
    ...deliver_sm?.params,
    schedule_delivery_time: { type: cstring },
    validity_period: { type: cstring },
    short_message: { type: buffer },
  },
})
smpp.addTLV('message_payload', { id: 0x0424, type: tlv.buffer })

const headerLength = 16
/** The longest message, which is also the codec's limit. */
const lengthMax = 16_384

export type Pdu = {
  command: string
  status: number
  sequence: number
  /** Null when the body cannot be read. */
  fields: Readonly<Record<string, unknown>> | null
}

export function encodePdu(
  command: string,
  { status = 0, sequence, ...fields }: Record<string, unknown> & { status?: number; sequence: number },
): Buffer {
  return new smpp.PDU(command, { ...fields, command_status: status, sequence_number: sequence }).toBuffer()
}

export function decodePdu(bytes: Buffer): Pdu {
  const [status, sequence] = [bytes.readUInt32BE(8), bytes.readUInt32BE(12)]
  try {
    const pdu = new smpp.PDU(bytes)
    return { command: pdu.command, status, sequence, fields: pdu }
  } catch {
    return { command: commandOf(bytes.readUInt32BE(4)), status, sequence, fields: null }
  }
}

function commandOf(id: number): string {
  return Object.keys(smpp.commands).find((name) => ownValue(smpp.commands, name)?.id === id) ?? 'unknown'
}

/** Empty when the field is missing. */
export function bytesOf(fields: Readonly<Record<string, unknown>>, name: string): Buffer {
  const value = ownValue(fields, name)
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

export function textOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = ownValue(fields, name)
  return typeof value === 'string' ? value.replaceAll('\0', '') : ''
}

export function numberOf(fields: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = ownValue(fields, name)
  return typeof value === 'number' ? value : null
}

/** Splits a stream of bytes into messages, however it arrives. Holds at most one incomplete message. */
export class Framer {
  #pieces: Buffer[] = []
  #size = 0
  #length: number | null = null

  /** `badLength`: the length of an impossible message, after which nothing more can be read. */
  push(chunk: Buffer): { messages: Buffer[]; badLength: number | null } {
    this.#pieces.push(chunk)
    this.#size += chunk.length
    const messages: Buffer[] = []
    while (this.#size >= (this.#length ?? 4)) {
      const all = this.#pieces.length === 1 ? (this.#pieces[0] ?? chunk) : Buffer.concat(this.#pieces, this.#size)
      this.#length ??= all.readUInt32BE(0)
      if (this.#length < headerLength || this.#length > lengthMax) return { messages, badLength: this.#length }
      if (all.length < this.#length) {
        this.#pieces = [all]
        break
      }
      messages.push(all.subarray(0, this.#length))
      this.#pieces = [all.subarray(this.#length)]
      this.#size -= this.#length
      this.#length = null
    }
    return { messages, badLength: null }
  }
}
