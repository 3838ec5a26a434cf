/** Declares the used part of a package without types: its codec, and the parts of its sessions with which bench/sms compares ours. */
declare module 'smpp' {
  type Type = { readonly default: unknown }
  type Params = Readonly<Record<string, { type: Type; filter?: unknown; default?: unknown }>>
  class PDU {
    constructor(command: string, fields: Readonly<Record<string, unknown>>)
    /** Decodes a whole message including its length. Throws when fields exceed it. */
    constructor(message: Buffer)
    /** 'unknown' when there is no such command. */
    readonly command: string
    readonly command_status: number
    readonly sequence_number: number;
    readonly [field: string]: unknown
    toBuffer(): Buffer
    response(): PDU
  }
  type Fields = Readonly<Record<string, unknown>>
  interface Session {
    on(event: string, listener: (pdu: PDU) => void): this
    bind_transceiver(fields: Fields, answered: (pdu: PDU) => void): boolean
    submit_sm(fields: Fields, answered: (pdu: PDU) => void): boolean
    send(pdu: PDU): boolean
    destroy(closed: () => void): void
  }
  const smpp: {
    PDU: typeof PDU
    connect(to: { host: string; port: number }): Session
    commands: Readonly<Record<string, { id: number; params?: Params }>>
    types: { buffer: Type; cstring: Type; tlv: { buffer: Type } }
    encodings: { ASCII: { encode(text: string): Buffer; decode(bytes: Buffer): string } }
    addCommand(name: string, definition: { id: number; params: Params }): void
    addTLV(name: string, definition: { id: number; type: Type }): void
  }
  export default smpp
}
