/**
 * SIPp as the operator and as the agents. The called number's last two digits decide, as in etc/operator/extensions.conf (without 34 and 36, but
 * with 41, an announcement that never ends, and 44, which replies nothing at all). An agent answers after 1 s and speaks (a tone); 09 hangs up after
 * 2 s, 37 after 10 s, 01 is busy, 02 does not answer. The log has a line when a call arrives (`INVITE`), when it is answered (`ANSWERED`), and when
 * it is over (`ENDED`).
 */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { eventPayloadType, keys, recordedRtp } from './rtp.ts'

export const head =
  '[last_Via:]\n[last_From:]\n[last_To:];tag=[call_number]\n[last_Call-ID:]\n[last_CSeq:]\n[last_Record-Route:]\nContact: <sip:[local_ip]:[local_port]>\n'
const dialog = '[last_Via:]\n[last_From:]\n[last_To:];tag=[call_number]\n[last_Call-ID:]\n'
export const empty = 'Content-Length: 0\n'
export const sdp = `Content-Type: application/sdp
Content-Length: [len]

v=0
o=operator 1 1 IN IP[local_ip_type] [local_ip]
s=-
c=IN IP[media_ip_type] [media_ip]
t=0 0
m=audio [auto_media_port] RTP/AVP 0 ${eventPayloadType}
a=rtpmap:0 PCMU/8000
a=rtpmap:${eventPayloadType} telephone-event/8000
a=fmtp:${eventPayloadType} 0-16
a=ptime:20
a=sendrecv
`

export const send = (text: string): string => `  <send><![CDATA[\n${text}\n  ]]></send>\n`
/** Sent again until it is acknowledged. */
export const sendSurely = (text: string): string => `  <send retrans="500"><![CDATA[\n${text}\n  ]]></send>\n`
export const label = (name: string): string => `  <label id="${name}"/>\n`
const goTo = (name: string): string => `  <nop next="${name}"/>\n`
export const play = (file: string): string => `  <nop><action><exec play_pcap_audio="${file}"/></action></nop>\n`

/** Without arrows and quotes, because it is part of an attribute. */
const logged = (what: string): string => `<action><log message="${what} [$number] [call_id] [timestamp]"/></action>`

export const answer = `${sendSurely(`SIP/2.0 200 OK\n${head}${sdp}`)}  <recv request="ACK" crlf="true">${logged('ANSWERED')}</recv>\n`
const progress = send(`SIP/2.0 183 Session Progress\n${head}${sdp}`) + play('announcement.pcap')
export const untilBye = '  <recv request="BYE" next="bye"/>\n'
export const refuse = (status: string): string =>
  `${sendSurely(`SIP/2.0 ${status}\n${head}${empty}`)}  <recv request="ACK" next="end"/>\n`
const hangUpAfter = (ms: number): string => `  <recv request="BYE" timeout="${ms}" ontimeout="hangup" next="bye"/>\n`

let waits = 0
/** Waits; a CANCEL meanwhile is answered properly. Continues with what follows. */
function quiet(ms: number): string {
  const after = `waited${waits++}`
  return `  <recv request="CANCEL" timeout="${ms}" ontimeout="${after}" next="cancelled"/>\n${label(after)}`
}
const ring = (ms: number): string => send(`SIP/2.0 180 Ringing\n${head}${empty}`) + quiet(ms)
const answerWith = (file: string): string => ring(1000) + answer + play(file) + untilBye
const hangUpAnswered = (ms: number, file = 'silence.pcap'): string => ring(1000) + answer + play(file) + hangUpAfter(ms)
const neverAnswers = 120_000
/** Not even '100 Trying', as if nobody were there. */
const silence = '  <pause milliseconds="120000"/>\n'

const keyFile = (key: string): string => `key-${key === '*' ? 'star' : key === '#' ? 'hash' : key}.pcap`

function operatorNumbers(): Map<string, string> {
  const digits = [...'0123456789']
  return new Map([
    ['01', refuse('486 Busy Here')],
    ['02', ring(neverAnswers) + refuse('480 Temporarily Unavailable')],
    ['03', refuse('603 Decline')],
    ['04', refuse('404 Not Found')],
    ['05', refuse('480 Temporarily Unavailable')],
    ['06', refuse('503 Service Unavailable')],
    ['07', ring(8000) + answer + play('silence.pcap') + untilBye],
    ['08', progress + quiet(3000) + refuse('486 Busy Here')],
    ['09', hangUpAnswered(2000)],
    ...digits.map((key): [string, string] => [`1${key}`, answerWith(keyFile(key))]),
    ...digits.map((key): [string, string] => [`2${key}`, answerWith(`keys-9-${key}.pcap`)]),
    ['30', answerWith(keyFile('*'))],
    ['31', answerWith(keyFile('#'))],
    ['32', answerWith('keys-1-2-3.pcap')],
    ['33', answerWith('speech.pcap')],
    ['35', progress + quiet(3000) + answer + play('silence.pcap') + untilBye],
    ['37', hangUpAnswered(10_000, 'speech.pcap')],
    ['38', refuse('488 Not Acceptable Here')],
    ['39', refuse('500 Server Internal Error')],
    ['40', refuse('403 Forbidden')],
    ['41', progress + label('announces') + quiet(3000) + play('announcement.pcap') + goTo('announces')],
    ['42', refuse('408 Request Timeout')],
    ['43', refuse('484 Address Incomplete')],
    ['44', silence],
    ['45', quiet(neverAnswers) + refuse('480 Temporarily Unavailable')],
    ['46', answer + play('silence.pcap') + untilBye],
    ['47', answer + hangUpAfter(1)],
    ['48', hangUpAnswered(5000)],
    ['49', ring(3000) + refuse('503 Service Unavailable')],
  ])
}

function agentNumbers(): Map<string, string> {
  return new Map([
    ['01', refuse('486 Busy Here')],
    ['02', ring(neverAnswers) + refuse('480 Temporarily Unavailable')],
    ['09', hangUpAnswered(2000, 'speech.pcap')],
    ['37', hangUpAnswered(10_000, 'speech.pcap')],
  ])
}

/** Requests outside of calls, which are answered. */
export const options = '  <recv request="OPTIONS" optional="true" next="options"/>\n'

/** Targets of jumps from every branch. */
function endings(): string {
  const bye =
    'BYE [$contact] SIP/2.0\nVia: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\n' +
    'From: <sip:operator@[local_ip]:[local_port]>;tag=[call_number]\nTo: <[$caller]>[$callertag]\n[last_Call-ID:]\n' +
    'CSeq: 1 BYE\n[routes]\nMax-Forwards: 70\nReason: Q.850;cause=16;text="Normal call clearing"\n'
  const over = `  <nop>${logged('ENDED')}</nop>\n`
  return [
    label('hangup') + over + sendSurely(bye + empty) + '  <recv response="200" next="end"/>\n',
    label('cancelled') + send(`SIP/2.0 200 OK\n${dialog}CSeq: [cseq] CANCEL\n${empty}`),
    sendSurely(`SIP/2.0 487 Request Terminated\n${dialog}CSeq: [cseq] INVITE\n${empty}`),
    '  <recv request="ACK" next="end"/>\n',
    label('options') + send(`SIP/2.0 200 OK\n${head}${empty}`) + goTo('end'),
    label('bye') +
      over +
      send(`SIP/2.0 200 OK\n[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]\n${empty}`),
    label('end') + '  <pause milliseconds="1"/>\n',
  ].join('')
}

export function scenario(
  name: string,
  numbers: ReadonlyMap<string, string>,
  otherwise: string,
  others = options,
): string {
  const suffixes = [...numbers.keys()]
  const tests = suffixes.map(
    (suffix) =>
      `      <ereg regexp="^INVITE sip:[+0-9]*${suffix}@" search_in="msg" check_it="false" assign_to="n${suffix}"/>\n`,
  )
  const header = (regexp: string, of: string, to: string): string =>
    `      <ereg regexp="${regexp}" search_in="hdr" header="${of}:" check_it="false" assign_to="${to}"/>\n`
  const trying = `SIP/2.0 100 Trying\n[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]\n${empty}`
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE scenario SYSTEM "sipp.dtd">
<scenario name="${name}">
${others}  <recv request="INVITE" crlf="true" rrs="true">
    <action>
      <ereg regexp="INVITE sip:([+0-9]*)@" search_in="msg" check_it="true" assign_to="request,number"/>
      <log message="INVITE [$number] [call_id] [timestamp]"/>
${tests.join('')}${header('sip:[^>;]*', 'From', 'caller')}${header(';tag=.*', 'From', 'callertag')}${header('sip:[^>]*', 'Contact', 'contact')}    </action>
  </recv>
  <Reference variables="request"/>
${numbers.has('44') ? '  <nop next="s44" test="n44"/>\n' : ''}${send(trying)}${suffixes.map((suffix) => `  <nop next="s${suffix}" test="n${suffix}"/>\n`).join('')}${otherwise}
${[...numbers].map(([suffix, steps]) => label(`s${suffix}`) + steps).join('\n')}
${endings()}</scenario>
`
}

/** Writes operator.xml, agents.xml and the sound that they play into `folder`. */
export function writeScenarios(folder: string): void {
  const write = (name: string, content: string | Buffer): void => fs.writeFileSync(path.join(folder, name), content)
  for (const key of keys) write(keyFile(key), recordedRtp(12, 0, [{ key, at: 2 }]))
  for (const key of '0123456789')
    write(
      `keys-9-${key}.pcap`,
      recordedRtp(16, 0, [
        { key: '9', at: 2 },
        { key, at: 6 },
      ]),
    )
  const counted = [...'123'].map((key, n) => ({ key, at: 2 + 2 * n }))
  write('keys-1-2-3.pcap', recordedRtp(16, 0, counted))
  write('silence.pcap', recordedRtp(20, 0))
  write('speech.pcap', recordedRtp(60, 440))
  write('announcement.pcap', recordedRtp(3, 950))
  write('operator.xml', scenario('operator', operatorNumbers(), answerWith('silence.pcap')))
  write('agents.xml', scenario('agents', agentNumbers(), answerWith('speech.pcap')))
}

/** Writes sink.xml into `folder`: it answers each call at once and sends its sound to a port where nobody listens. */
export function writeSink(folder: string): void {
  const onePort = answer.replace('[auto_media_port]', '[media_port]')
  fs.writeFileSync(path.join(folder, 'sink.xml'), scenario('sink', new Map(), onePort + untilBye))
}

/** Writes a scenario into `folder` that answers every call with `status`, and returns its name. */
export function writeRefusing(folder: string, status: string): `refuses-${number}` {
  const name = `refuses-${Number(status.slice(0, 3))}` as const
  fs.writeFileSync(path.join(folder, `${name}.xml`), scenario(name, new Map(), refuse(status)))
  return name
}
