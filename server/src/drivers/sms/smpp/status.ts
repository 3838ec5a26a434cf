import type { PartAnswer } from '../parts.ts'
import { words } from '../words.ts'

type Fault = { whose: 'message' | 'gateway'; why: string }
const ofMessage = (why: string): Fault => ({ whose: 'message', why })
const ofGateway = (why: string): Fault => ({ whose: 'gateway', why })

/** Whose fault a command_status is (SMPP 3.4, 5.1.3). Unknown ones count as the gateway's, so that no message is lost. */
const faults = new Map<number, Fault>([
  [0x01, ofMessage('the message’s length is not valid')],
  [0x04, ofGateway('the login may not send')],
  [0x05, ofGateway('the login is connected already')],
  [0x08, ofGateway('it has a fault')],
  [0x0a, ofMessage('the sender ID is not valid')],
  [0x0b, ofMessage('the number is not valid')],
  [0x0d, ofGateway('the login is not accepted')],
  [0x0e, ofGateway('the password is wrong')],
  [0x0f, ofGateway('there is no such login')],
  [0x14, ofGateway('its queue is full')],
  [0x15, ofGateway('the service type is not valid')],
  [0x45, ofMessage('it could not be submitted')],
  [0x48, ofGateway('the sender’s type of number is not valid')],
  [0x49, ofGateway('the sender’s numbering plan is not valid')],
  [0x50, ofGateway('the number’s type is not valid')],
  [0x51, ofGateway('the number’s numbering plan is not valid')],
  [0x53, ofGateway('the system type is not valid')],
  [0x58, ofGateway('too many messages a second')],
  [0x66, ofMessage('the receiver refused it')],
  [0xfe, ofMessage('it could not be delivered')],
  [0x104, ofGateway('the alphabet is not accepted')],
])
const unknownFault = ofGateway('no reason was given')

const throttledBy = new Set([0x14, 0x58])

export function codeOf(status: number): string {
  return `0x${status.toString(16).toUpperCase().padStart(2, '0')}`
}

export function whyOf(status: number): string {
  return (faults.get(status) ?? unknownFault).why
}

export function answerOf(status: number, id: string): PartAnswer {
  if (status === 0) return { kind: 'accepted', id }
  if (throttledBy.has(status)) return { kind: 'throttled' }
  const { whose, why } = faults.get(status) ?? unknownFault
  const code = codeOf(status)
  return { kind: 'refused', whose, code, reason: words.refused(why, code) }
}
