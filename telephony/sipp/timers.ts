/**
 * What operators do with session timers (RFC 4028), by the last two digits.
 * - 80: finds the session too short (422), and takes it at the time that it names
 * - 81, 82: insist on timers that the dialer refreshes, by UPDATE or by INVITE, and hang up on who does not
 * - 83, 84: refresh by themselves, by INVITE or by UPDATE
 * - 85: say that they refresh, and never do
 * - 86: refuse whoever does not insist on timers too (421)
 */
import { empty, head, play, refuse, sdp, send, sendSurely, untilBye } from './scenarios.ts'

/** The shortest session that there is; it is refreshed after half of it, and over after two thirds without. */
export const sessionSeconds = 90
/** The time that 80 names. */
export const longerSeconds = 300

const insists = (refresher: 'uac' | 'uas', seconds = sessionSeconds): string =>
  `Require: timer\nSession-Expires: ${seconds};refresher=${refresher}\n`
const answerWith = (headers: string): string =>
  `${sendSurely(`SIP/2.0 200 OK\n${head}${headers}${sdp}`)}  <recv request="ACK"/>\n${play('silence.pcap')}`

const takesUpdates = 'Allow: INVITE, ACK, CANCEL, BYE, UPDATE\n'
const takesNone = 'Allow: INVITE, ACK, CANCEL, BYE\n'
const agrees =
  '[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\n[last_CSeq:]\nContact: <sip:[local_ip]:[local_port]>\n'

/** In the call that this operator has answered. */
const inDialog = (method: string, cseq: string, rest: string): string =>
  `${method} [$contact] SIP/2.0\nVia: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\n` +
  'From: <sip:operator@[local_ip]:[local_port]>;tag=[call_number]\nTo: <[$caller]>[$callertag]\n[last_Call-ID:]\n' +
  `CSeq: ${cseq}\nContact: <sip:[local_ip]:[local_port]>\nMax-Forwards: 70\n${rest}`
const asksAgain = `Supported: timer\n${insists('uac').replace('Require: timer\n', '')}`
const afterAWhile = '  <pause milliseconds="3000"/>\n'

export const timerNumbers = (): Map<string, string> =>
  new Map([
    [
      '80',
      `${sendSurely(`SIP/2.0 422 Session Interval Too Small\n${head}Min-SE: ${longerSeconds}\n${empty}`)}  <recv request="ACK"/>\n` +
        `  <recv request="INVITE" rrs="true"/>\n${answerWith(insists('uac', longerSeconds))}${untilBye}`,
    ],
    [
      '81',
      `${answerWith(takesUpdates + insists('uac'))}  <recv request="UPDATE"/>\n` +
        send(`SIP/2.0 200 OK\n${agrees}${insists('uac')}${empty}`) +
        untilBye,
    ],
    [
      '82',
      `${answerWith(takesNone + insists('uac'))}  <recv request="INVITE"/>\n` +
        `${sendSurely(`SIP/2.0 200 OK\n${agrees}${takesNone}${insists('uac')}${sdp}`)}  <recv request="ACK"/>\n${untilBye}`,
    ],
    [
      '83',
      answerWith(insists('uas')) +
        afterAWhile +
        `${sendSurely(inDialog('INVITE', '1 INVITE', asksAgain + sdp))}  <recv response="100" optional="true"/>\n  <recv response="200"/>\n` +
        send(inDialog('ACK', '1 ACK', empty)) +
        untilBye,
    ],
    [
      '84',
      answerWith(takesUpdates + insists('uas')) +
        afterAWhile +
        `${sendSurely(inDialog('UPDATE', '1 UPDATE', asksAgain + empty))}  <recv response="200"/>\n` +
        untilBye,
    ],
    ['85', answerWith(insists('uas')) + untilBye],
    ['86', refuse('421 Extension Required').replace(head, `${head}Require: timer\n`)],
  ])
