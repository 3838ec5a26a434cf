import { ownValue } from '@ghanti/contract/own-values.ts'

/** Sentences about gateways that people read, for all drivers. Their Nepali is in contract/src/nepali/gateways.ts. */
export const words = {
  unreadable: 'its password or token cannot be read, because the key of this server has changed: enter it again',
  connecting: 'it is not connected yet',
  closed: 'it is closed',
  closedUnanswered: 'the gateway was closed before it answered',
  lost: 'the connection was lost',
  lostUnanswered: 'the connection was lost before the answer came',
  unreachable: (why: string) => `it cannot be reached: ${why}`,
  untrusted: 'its certificate is not the expected one',
  busy: 'it was too busy: the message could not leave in 30 s',
  unanswered: (seconds: number) => `the gateway did not answer in ${seconds} s`,
  silent: (seconds: number) => `no reply to enquire_link in ${seconds} s`,
  readsNothing: (seconds: number) => `it has read nothing for ${seconds} s`,
  floods: (perSecond: number) =>
    `it sent more than ${perSecond} requests a second that carry no message: the connection was ended`,
  bindSilent: (seconds: number) => `it does not answer the login in ${seconds} s`,
  bindRefused: (why: string, code: string) => `it refuses the login: ${why} (${code})`,
  receiverLost: (why: string) => `no receipts: the receiver’s connection failed: ${why}`,
  unbound: 'the gateway ended the connection',
  refused: (why: string, code: string) => `the gateway refuses it: ${why} (${code})`,
  noRoom: 'the gateway had no room for the rest',
  noRoomLate: 'the gateway had no room for it',
  restUnsent: 'its first segment was answered too late, so the rest was not sent',
  partly: (reason: string, accepted: number, of: number) => `${reason}; ${accepted} of ${of} segments were accepted`,
  lacksLetter: (letter: string) => `the gateway’s alphabet, Latin-1, lacks ${letter}`,
  badLength: (bytes: number) => `it sent a message of ${bytes} bytes, which cannot be: the connection was ended`,
  badBody: 'it sent a message that cannot be read, which was rejected',
  strayAnswers: (count: number) => `it answered ${count} times what was not asked`,
  forbidden: 'its address is private, and this server does not ask such addresses unless its operator allows them',
  errorReply: (status: number) => `the gateway has a fault (${status}): whether it took the message is not known`,
  longReply: 'the gateway’s reply is too long to be read',
  notStored: 'what came in could not be stored; the gateway is asked to send it again',
} as const

export function whyNot(error: Error & { code?: string }): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'its name is not known',
    EAI_AGAIN: 'its name is not known',
    ETIMEDOUT: 'no reply',
    EHOSTUNREACH: 'no way to it',
    ENETUNREACH: 'no way to it',
    ECONNRESET: 'the connection was reset',
  }
  return ownValue(known, error.code ?? '') ?? error.message.slice(0, 200)
}
