/** An SMPP peer that works on bytes, to act as a slow, broken or hostile gateway. */
import * as net from 'node:net'
import { decodePdu, encodePdu, Framer, type Pdu } from './codec.ts'

export class RawPeer {
  readonly host = '127.0.0.1'
  readonly sockets = new Set<net.Socket>()
  readonly received: Pdu[] = []
  binds = 0
  readonly #server: net.Server
  #answer: (pdu: Pdu, socket: net.Socket) => void

  private constructor(answer: (pdu: Pdu, socket: net.Socket) => void) {
    this.#answer = answer
    this.#server = net.createServer((socket) => this.#serve(socket))
  }

  /** `answer` gets everything but logins, enquire_link and unbind. */
  static async listen(answer: (pdu: Pdu, socket: net.Socket) => void): Promise<RawPeer> {
    const peer = new RawPeer(answer)
    await new Promise<void>((resolve) => peer.#server.listen(0, peer.host, resolve))
    return peer
  }

  get port(): number {
    const address = this.#server.address()
    if (!address || typeof address === 'string') throw new Error('the peer does not listen')
    return address.port
  }

  submits(): Pdu[] {
    return this.received.filter(({ command }) => command === 'submit_sm')
  }

  send(bytes: Buffer): void {
    for (const socket of this.sockets) socket.write(bytes)
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #serve(socket: net.Socket): void {
    const framer = new Framer()
    this.sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of framer.push(chunk).messages) this.#take(decodePdu(bytes), socket)
    })
  }

  #take(pdu: Pdu, socket: net.Socket): void {
    const { command, sequence } = pdu
    if (command.startsWith('bind_')) this.binds += 1
    if (command.startsWith('bind_') || command === 'enquire_link' || command === 'unbind')
      socket.write(encodePdu(`${command}_resp`, { sequence, system_id: 'HOSTILE' }))
    else {
      this.received.push(pdu)
      this.#answer(pdu, socket)
    }
  }
}

export function acceptance(sequence: number, id: string): Buffer {
  return encodePdu('submit_sm_resp', { sequence, message_id: id })
}

export function receiptOf(sequence: number, id: string): Buffer {
  const text = `id:${id} sub:001 dlvrd:001 submit date:2611230900 done date:2611230900 stat:DELIVRD err:000 text:`
  return encodePdu('deliver_sm', { sequence, esm_class: 4, data_coding: 0, short_message: Buffer.from(text) })
}
