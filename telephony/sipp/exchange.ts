/** One host for the dialer's trunk, with two SIPps behind it; the called number decides. It forwards SIP packet by packet; sound bypasses it. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export type Exchange = { host: string; port: number; close(): void }
type Peer = { port: number; serves(number: string): boolean }

const host = '127.0.0.1'

/** The first peer that serves the called number gets the call; requests without a number (OPTIONS) go to the last. */
export async function startExchange(peers: readonly [...Peer[], Peer]): Promise<Exchange> {
  const front = await openSocket()
  const sides = await Promise.all(peers.map(async (peer) => ({ peer, back: await openSocket() })))
  let dialerPort = 0
  const sideOf = new Map<string, (typeof sides)[number]>()
  front.on('message', (packet, from) => {
    dialerPort = from.port
    const text = packet.toString('latin1')
    const callId = /^(?:Call-ID|i)\s*:\s*(\S+)/im.exec(text)?.[1] ?? ''
    const called = /^INVITE sip:([+\d]+)@/.exec(text)?.[1]
    const side = sideOf.get(callId) ?? (sides.find(({ peer }) => called && peer.serves(called)) || sides.at(-1))
    if (!side) return
    sideOf.set(callId, side)
    side.back.send(packet, side.peer.port, host)
  })
  for (const { back } of sides) back.on('message', (packet) => front.send(packet, dialerPort, host))
  return {
    host,
    port: front.address().port,
    close() {
      for (const socket of [front, ...sides.map(({ back }) => back)]) socket.close()
    },
  }
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, host)
  await once(socket, 'listening')
  return socket
}
