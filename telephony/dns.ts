/** A name server for tests with given records for any name; a name without records does not exist. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

type Answer =
  | { type: 'A'; address: string }
  | { type: 'SRV'; priority: number; weight: number; port: number; target: string }
  | { type: 'NAPTR'; order: number; preference: number; flags: string; service: string; replacement: string }
const codes = { A: 1, SRV: 33, NAPTR: 35 } as const

const u16 = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))
const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
const nameOf = (name: string): Buffer => Buffer.concat([...name.split('.').map(text), Buffer.from([0])])

function dataOf(answer: Answer): Buffer {
  if (answer.type === 'A') return Buffer.from(answer.address.split('.').map(Number))
  if (answer.type === 'SRV')
    return Buffer.concat([u16(answer.priority, answer.weight, answer.port), nameOf(answer.target)])
  const { order, preference, flags, service, replacement } = answer
  return Buffer.concat([u16(order, preference), text(flags), text(service), text(''), nameOf(replacement)])
}

/** `records` may change while it runs. */
export async function startDns(records: Map<string, Answer[]>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    let end = 12
    const labels: string[] = []
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length))
      end += 1 + length
    }
    const question = query.subarray(12, end + 5)
    const asked = query.readUInt16BE(end + 1)
    const known = records.get(labels.join('.').toLowerCase())
    const answers = (known ?? []).filter(({ type }) => codes[type] === asked)
    const flags = known ? 0x8180 : 0x8183
    const bodies = answers.flatMap((answer) => {
      const data = dataOf(answer)
      return [u16(0xc00c, asked, 1, 0, 60, data.length), data]
    })
    const head = Buffer.concat([query.subarray(0, 2), u16(flags, 1, answers.length, 0, 0)])
    socket.send(Buffer.concat([head, question, ...bodies]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, end: () => socket.close() }
}
