/** A message centre whose receipts have the forms that centres really send, chosen by the last two digits of the number. */
import { ownValue } from '@ghanti/contract/own-values.ts'
import { encodePdu, textOf } from './codec.ts'
import { acceptance, RawPeer } from './testing-peer.ts'

type Sent = { id: string; from: string; to: string }
type Body = { esm?: number; coding?: number; text?: string | Buffer; payload?: string; id?: string; state?: number }

const standard = (id: string, stat = 'DELIVRD'): string =>
  `id:${id} sub:001 dlvrd:001 submit date:2611290900 done date:2611290901 stat:${stat} err:000 text:hello`
const ucs2 = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const fields = / (?=sub|dlvrd|submit|done|stat|err|text)/g
const marked = 4
/** The receipt comes before the answer. */
const early = '50'

/** The answer has the id in base 16, the receipt in base 10. */
const hexadecimal = '17'

/** What the centre sends about a message, one after the other. */
const receipts: Readonly<Record<string, (id: string) => (Body | 'dataSm')[]>> = {
  '10': (id) => [{ esm: 0, text: standard(id) }],
  '11': (id) => [{ text: standard(id, 'DELIVERED') }],
  '12': (id) => [{ text: standard(id, 'UNDELIVERABLE') }],
  '13': (id) => [{ text: standard(id, 'ACKED') }],
  '14': (id) => [{ text: standard(id).replaceAll(fields, '\n') }],
  '15': (id) => [{ coding: 8, text: ucs2(standard(id)) }],
  '16': (id) => [{ text: `id:${id} submit date:2611290900 done date:2611290901 stat:DELIVRD err:000` }],
  '17': (id) => [{ text: standard(BigInt(`0x${id}`).toString()) }],
  '18': (id) => [{ text: standard(`000${id}`) }],
  '20': (id) => [{ text: standard(id, 'delivrd').replaceAll(/[a-z ]+:/g, (name) => name.toUpperCase()) }],
  '21': (id) => [{ text: `id: ${id} sub: 001 stat: DELIVRD err: 000` }],
  '23': () => ['dataSm'],
  '24': (id) => [{ text: `id:${id};sub:001;dlvrd:001;stat:DELIVRD;err:000` }],
  '26': (id) => [{ payload: standard(id) }],
  '30': (id) => [{ text: standard(id, 'UNKNOWN') }, { text: standard(id) }],
  '31': (id) => [{ text: standard(id, 'ENROUTE') }, { text: standard(id) }],
  '32': (id) => [{ esm: 0, text: standard(id), id }],
  '33': (id) => [{ esm: 0, id, state: 2 }],
  '34': (id) => [{ text: standard(id).replace('stat:', 'status:') }],
  '35': (id) => [{ text: standard(id, 'REJECTED') }],
  // as reported about other gateways
  '40': (id) => [{ coding: 8, text: standard(id) }], // UCS-2 is claimed, ASCII is sent
  '41': (id) => [{ esm: 0, text: standard(id, 'FAILED').replace('2611290901', '0000000000') }],
  '42': (id) => [{ esm: 0x44, text: Buffer.concat([Buffer.from([5, 0, 3, 7, 1, 1]), Buffer.from(standard(id))]) }],
  '43': (id) => [{ text: standard(id).replaceAll(fields, '\r\n').replaceAll(':', '=') }],
  '44': (id) => [{ text: standard(id, 'UNDELIV').replace('2611290901', '261129090100912+') }],
  '45': (id) => [{ text: standard(id, 'ACCEPTD') }, { text: standard(id, 'EXPIRED') }],
  '46': (id) => [{ text: standard(id, 'UNKNOWN') }],
  '47': (id) => [{ esm: 0, coding: 8, text: ucs2(standard(id)) }],
  '48': (id) => [{ text: standard(id, 'WHATEVER') }],
  [early]: (id) => [{ esm: 0, text: standard(id) }],
  '49': () => [{ text: 'message to 9779841000001 was handed over' }],
}

export class OddCentre {
  readonly peer: RawPeer
  readonly sent: Sent[] = []
  #sequence = 1000

  private constructor(peer: RawPeer) {
    this.peer = peer
  }

  /** Ids begin after `first`. */
  static async listen(first: number): Promise<OddCentre> {
    let next = first
    const peer = await RawPeer.listen((pdu, socket) => {
      if (pdu.command !== 'submit_sm') return
      const to = textOf(pdu.fields ?? {}, 'destination_addr')
      next += 1
      const id = to.endsWith(hexadecimal) ? (0x5f000000 + (next % 100_000)).toString(16) : String(next)
      const sent = { id, from: textOf(pdu.fields ?? {}, 'source_addr'), to }
      centre.sent.push(sent)
      const suffix = sent.to.slice(-2)
      const bodies = ownValue(receipts, suffix)?.(sent.id) ?? [{ text: standard(sent.id) }]
      const answer = acceptance(pdu.sequence, sent.id)
      const told = bodies.map((body) => centre.#written(sent, body))
      if (suffix !== early) return void socket.write(Buffer.concat([answer, ...told]))
      socket.write(Buffer.concat(told))
      setTimeout(() => socket.write(answer), 300)
    })
    const centre = new OddCentre(peer)
    return centre
  }

  /** What somebody writes, as the centre passes it on. */
  deliver(from: string, to: string, body: Body): void {
    this.peer.send(this.#written({ id: '', from: to, to: from }, body))
  }

  #written({ id, from, to }: Sent, body: Body | 'dataSm'): Buffer {
    const addresses = { sequence: (this.#sequence += 1), source_addr: to, destination_addr: from }
    if (body === 'dataSm')
      return encodePdu('data_sm', { ...addresses, esm_class: marked, receipted_message_id: id, message_state: 2 })
    const { esm = marked, coding = 0, text = '', payload, id: named, state } = body
    return encodePdu('deliver_sm', {
      ...addresses,
      esm_class: esm,
      data_coding: coding,
      short_message: Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1'),
      ...(payload !== undefined && { message_payload: Buffer.from(payload, 'latin1') }),
      ...(named !== undefined && { receipted_message_id: named }),
      ...(state !== undefined && { message_state: state }),
    })
  }
}
