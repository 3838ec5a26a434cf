/** An operator that keeps all messages and behaves as some operators do, to show that requests are as these require. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { recordedRtp, soundingKey } from './rtp.ts'
import {
  answer,
  empty,
  head,
  label,
  options,
  play,
  refuse,
  scenario,
  sdp,
  send,
  sendSurely,
  untilBye,
} from './scenarios.ts'
import { startPeer } from './sipp.ts'
import { timerNumbers } from './timers.ts'

/** A key by SIP INFO, in the same call after the answer. */
const info =
  'INFO [$contact] SIP/2.0\nVia: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\n' +
  'From: <sip:operator@[local_ip]:[local_port]>;tag=[call_number]\nTo: <[$caller]>[$callertag]\n[last_Call-ID:]\n' +
  'CSeq: 1 INFO\nMax-Forwards: 70\nContent-Type: application/dtmf-relay\nContent-Length: [len]\n\nSignal=5\nDuration=160\n'
/** Of an operator that does not support RFC 4733 events. */
const withoutEvents = answer.replace(/ 101$/m, '').replace(/^a=(rtpmap|fmtp):101.*\n/gm, '')

/** By the last two digits; all other calls are refused as busy. */
const numbers = new Map([
  ...timerNumbers(),
  ['73', `${withoutEvents}  <pause milliseconds="500"/>\n${sendSurely(info)}  <recv response="200"/>\n${untilBye}`],
  ['74', withoutEvents + play('sounding-5.pcap') + untilBye],
  [
    '75', // 183, reliably: RFC 3262
    `${sendSurely(`SIP/2.0 183 Session Progress\n${head}Require: 100rel\nRSeq: 1\n${sdp}`)}  <recv request="PRACK"/>\n` +
      send(`SIP/2.0 200 OK\n[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]\n${empty}`) +
      '  <recv request="CANCEL" next="cancelled"/>\n',
  ],
])

const registered = `${label('registered')}${send(
  `SIP/2.0 200 OK\n[last_Via:]\n[last_From:]\n[last_To:];tag=[call_number]\n[last_Call-ID:]\n[last_CSeq:]\n[last_Contact:]\nExpires: 300\n${empty}`,
)}  <nop next="end"/>\n`
const unanswered = `${label('unanswered')}  <nop next="end"/>\n`

export type Witness = Awaited<ReturnType<typeof startWitness>>

/** `ignoresOptions`: OPTIONS are never answered. */
export async function startWitness(folder: string, { ignoresOptions = false } = {}) {
  const name = ignoresOptions ? 'witness-ignores' : 'witness'
  const asked = ignoresOptions ? options.replace('"options"', '"unanswered"') : options
  const others = `${asked}  <recv request="REGISTER" optional="true" next="registered"/>\n`
  const written = scenario(name, numbers, refuse('486 Busy Here'), others)
  const end = label('end')
  fs.writeFileSync(path.join(folder, `${name}.xml`), written.replace(end, registered + unanswered + end))
  fs.writeFileSync(path.join(folder, 'sounding-5.pcap'), soundingKey([770, 1336]))
  fs.writeFileSync(path.join(folder, 'silence.pcap'), recordedRtp(20, 0))
  const peer = await startPeer(folder, name)
  return { ...peer, messages: () => messagesIn(path.join(folder, `${name}.messages`)) }
}

/** Requests and replies as they arrived, oldest first. */
function messagesIn(file: string): string[] {
  if (!fs.existsSync(file)) return []
  const parts = fs.readFileSync(file, 'utf8').split(/^-{20,}.*$/m)
  return parts.flatMap((part) => /message received \[\d+\] bytes :\s+([^]*)$/.exec(part)?.[1]?.trim() ?? [])
}
