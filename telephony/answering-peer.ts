/** An operator that answers every call by its own rules: which password it asks for, what its Contact and SDP say, and for how long it sends sound. */
import { createHash, randomUUID } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { SipOptions } from '@ghanti/contract/sip-options.ts'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import type { Trunk } from '../server/src/drivers/telephony/driver.ts'
import { operatorTrunk, replyTo } from '../server/src/drivers/telephony/asterisk/testing.ts'

export type Algorithm = 'MD5' | 'SHA-256'
export type PeerRules = {
  /** Where it listens, for SIP and for RTP (127.0.0.1). */
  address?: string
  /** Challenges REGISTER and INVITE, in this order; none: no password. */
  algorithms?: readonly Algorithm[]
  /** Host and port of its Contact; where it listens. */
  contact?: string
  /** Further lines of its SDP; null: it answers without any. */
  sdp?: readonly string[] | null
  /** Stands in place of its SDP. */
  body?: string
  /** The formats of its SDP (8, a-law). */
  formats?: string
  /** Says 180 Ringing, and answers after this. */
  ringsMs?: number
  /** Hangs up so long after its answer, with these headers. */
  bye?: { afterMs: number; headers: readonly string[] }
  /** Puts the call on hold so long after its answer, with this direction of its SDP and without any sound, and takes it up again after a while, without sound. */
  hold?: { afterMs: number; direction: 'inactive' | 'sendonly'; forMs?: number }
  /** How long it sends sound after the answer (for ever). */
  soundMs?: number
  /** Agrees on sound by a 183 and sends none, and answers after this. */
  announcedMs?: number
  /** Its reply to requests that refresh a session. */
  refreshes?: string
}

export const account = { user: 'account', secret: 'a secret' }
const realm = 'operator.example'
const packetMs = 20

const hash = (algorithm: Algorithm, text: string): string =>
  createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
    .update(text)
    .digest('hex')
export const headerOf = (message: string, name: string): string | null =>
  new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(message)?.[1] ?? null

const placeOf = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`

async function bound(address: string): Promise<Socket> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}

/** The algorithm by which a request proves the password, or null. */
function provenBy(request: string, nonce: string): string | null {
  const given = headerOf(request, '(?:Proxy-)?Authorization') ?? ''
  const of = (name: string): string => new RegExp(`\\b${name}="?([^",]*)"?`).exec(given)?.[1] ?? ''
  const algorithm: Algorithm = of('algorithm') === 'SHA-256' ? 'SHA-256' : 'MD5'
  const digest = (text: string): string => hash(algorithm, text)
  const secret = digest(`${account.user}:${realm}:${account.secret}`)
  const asked = digest(`${request.split(' ')[0]}:${of('uri')}`)
  const proof = digest([secret, nonce, of('nc'), of('cnonce'), of('qop'), asked].join(':'))
  return of('username') === account.user && of('response') === proof ? algorithm : null
}

const challengeOf = (algorithm: Algorithm, nonce: string): string =>
  `WWW-Authenticate: Digest realm="${realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"`

function sdpOf(address: string, port: number, formats: string, more: readonly string[], version = 1): string {
  const family = address.includes(':') ? 'IP6' : 'IP4'
  const lines = ['v=0', `o=operator 1 ${version} IN ${family} ${address}`, 's=-', `c=IN ${family} ${address}`, 't=0 0']
  return [...lines, `m=audio ${port} RTP/AVP ${formats}`, 'a=rtpmap:8 PCMA/8000', ...more, ''].join('\r\n')
}

function bodyOf({ body, sdp = [], formats = '8' }: PeerRules, address: string, port: number): string | null {
  return body ?? (sdp === null ? null : sdpOf(address, port, formats, sdp))
}

/** A request within the call that this INVITE began. */
function requestOf(
  [method, cseq]: readonly ['BYE' | 'INVITE' | 'ACK', number],
  invite: string,
  place: string,
  headers: readonly string[],
  body = '',
): string {
  const contact = /<([^>]+)>/.exec(headerOf(invite, 'Contact') ?? '')?.[1] ?? ''
  return [
    `${method} ${contact} SIP/2.0`,
    `Via: SIP/2.0/UDP ${place};branch=z9hG4bK${randomUUID()}`,
    'Max-Forwards: 70',
    `From: ${headerOf(invite, 'To')};tag=terse`,
    `To: ${headerOf(invite, 'From')}`,
    `Call-ID: ${headerOf(invite, 'Call-ID')}`,
    `CSeq: ${cseq} ${method}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** Its end of the sound: a-law silence to whoever calls, for as long as this. */
async function startSound(address: string, soundMs: number) {
  const socket = await bound(address)
  const senders = new Map<string, NodeJS.Timeout>()
  const heard: number[] = []
  let [sentAt, loudAt] = [0, 0]
  socket.on('message', (packet) => {
    heard.push(packet.length)
    if (packet.subarray(12).some((sample) => (sample & 0x7f) !== 0x55)) loudAt = performance.now()
  })
  return {
    port: socket.address().port,
    heard,
    sentAt: () => sentAt,
    /** When it last heard anything but silence; 0: never. */
    loudAt: () => loudAt,
    begin(call: string, invite: string): void {
      const [, port] = /^m=audio (\d+)/m.exec(invite) ?? []
      const [, host] = /^c=IN IP[46] (\S+)/m.exec(invite) ?? []
      const startedAt = performance.now()
      let sequence = 0
      const sender = setInterval(() => {
        if (performance.now() - startedAt > soundMs) return clearInterval(sender)
        const packet = Buffer.alloc(172, 0xd5)
        packet.writeUInt16BE(0x80_08, 0)
        packet.writeUInt16BE(sequence & 0xffff, 2)
        packet.writeUInt32BE(sequence * 160, 4)
        packet.writeUInt32BE(7, 8)
        sequence += 1
        sentAt = performance.now()
        socket.send(packet, Number(port), host)
      }, packetMs)
      senders.set(call, sender)
    },
    end: (call: string): void => clearInterval(senders.get(call)),
    close(): void {
      for (const sender of senders.values()) clearInterval(sender)
      socket.close()
    },
  }
}

type Answered = {
  /** The INVITE that it has answered. */
  request: string
  place: string
  contact: string
  received: readonly { message: string }[]
  changes: string[]
  timers: NodeJS.Timeout[]
  send(text: string): void
  offerOf(direction: string, version: number): string
  quiet(): void
}

/** What it does in a call that it has answered: it puts it on hold, and hangs up. */
function goOn({ bye, hold }: PeerRules, call: Answered): void {
  const { request, place, contact, received, changes, timers, send, quiet } = call
  const later = (ms: number, work: () => void): void => void timers.push(setTimeout(work, ms))
  const change = (cseq: number, direction: string): void => {
    const headers = [contact, 'Content-Type: application/sdp']
    send(requestOf(['INVITE', cseq], request, place, headers, call.offerOf(direction, cseq + 1)))
    const isAgreed = ({ message }: { message: string }): boolean =>
      message.startsWith('SIP/2.0 200') && headerOf(message, 'CSeq') === `${cseq} INVITE`
    const agreed = setInterval(() => {
      if (!received.some(isAgreed)) return
      clearInterval(agreed)
      changes.push(direction)
      send(requestOf(['ACK', cseq], request, place, []))
    }, packetMs)
    timers.push(agreed)
  }
  if (hold)
    later(hold.afterMs, () => {
      quiet()
      change(1, hold.direction)
      if (hold.forMs !== undefined) later(hold.forMs, () => change(2, 'sendrecv'))
    })
  if (bye)
    later(bye.afterMs, () => {
      quiet()
      send(requestOf(['BYE', 100], request, place, bye.headers))
    })
}

export async function startAnsweringPeer(rules: PeerRules = {}) {
  const { address = '127.0.0.1', algorithms = [], announcedMs = 0, ringsMs = 0, soundMs = Infinity } = rules
  const [sip, sound] = await Promise.all([bound(address), startSound(address, soundMs)])
  const { port } = sip.address()
  const place = placeOf(address, port)
  const contact = `Contact: <sip:operator@${rules.contact ?? place}>`
  const sdp = bodyOf(rules, address, sound.port)
  const nonce = randomUUID()
  const challenges = algorithms.map((one) => challengeOf(one, nonce))
  const received: { message: string; at: number }[] = []
  const accepted: string[] = []
  const changes: string[] = []
  const timers: NodeJS.Timeout[] = []

  sip.on('message', (packet, from) => {
    const request = String(packet)
    const method = /^[A-Z]+(?= )/.exec(request)?.[0]
    received.push({ message: request, at: performance.now() })
    if (method === undefined || method === 'ACK') return
    const say = (status: string, headers: readonly string[] = [], body = ''): void =>
      sip.send(replyTo(request, status, headers, body), from.port, from.address)
    const call = headerOf(request, 'Call-ID') ?? ''
    if (algorithms.length > 0 && (method === 'REGISTER' || method === 'INVITE')) {
      const proven = provenBy(request, nonce)
      if (proven === null) return say('401 Unauthorized', challenges)
      accepted.push(`${method} by ${proven}`)
    }
    if (method === 'BYE') sound.end(call)
    if (method === 'REGISTER') return say('200 OK', [`Contact: ${headerOf(request, 'Contact')};expires=300`])
    const isRefresh = (method === 'INVITE' || method === 'UPDATE') && /;tag=/.test(headerOf(request, 'To') ?? '')
    if (isRefresh) return say(rules.refreshes ?? '200 OK')
    if (method !== 'INVITE') return say('200 OK')
    const later = (ms: number, work: () => void): void => void timers.push(setTimeout(work, ms))
    const agree = (status: string): void =>
      sdp === null ? say(status, [contact]) : say(status, [contact, 'Content-Type: application/sdp'], sdp)
    const answer = (): void => {
      agree('200 OK')
      sound.begin(call, request)
      const send = (text: string): void => sip.send(text, from.port, from.address)
      const offerOf = (direction: string, version: number): string =>
        sdpOf(address, sound.port, rules.formats ?? '8', [`a=${direction}`], version)
      goOn(rules, { request, place, contact, received, changes, timers, send, offerOf, quiet: () => sound.end(call) })
    }
    if (announcedMs > 0) {
      agree('183 Session Progress')
      later(announcedMs, answer)
    } else if (ringsMs > 0) {
      say('180 Ringing', [contact])
      later(ringsMs, answer)
    } else answer()
  })

  return {
    port,
    /** Sound that it sent and received. */
    sound,
    /** 'REGISTER by SHA-256': what it took, by which algorithm the password was proven. */
    accepted,
    /** The directions that the dialer agreed to after the answer. */
    changes,
    requests: (method: string) => received.filter(({ message }) => message.startsWith(`${method} `)),
    trunk: (name: string, options: Partial<SipOptions> = {}, other: Partial<Trunk> = {}): Trunk =>
      operatorTrunk(name, { host: address, port, ...other, options: { ...plainSipOptions, ...options } }),
    close(): void {
      for (const timer of timers) clearTimeout(timer)
      sip.close()
      sound.close()
    },
  }
}
