import { smsOccasions, type SmsOccasion } from '@ghanti/contract/after-call.ts'
import { addressFields, hostOfAddress } from '@ghanti/contract/sms-address.ts'
import type { FieldError } from '../../errors.ts'
import type { AddressAnswer, Reach } from '../../drivers/addresses/driver.ts'

/** The purpose that sealed addresses are bound to (secrets.ts). */
export const addressPurpose = 'after_call_option.address'

const answerSeconds = 5 // the driver's timeout, repeated because rules import no driver

/** Translated in contract/src/nepali/after-call.ts. */
export const words = {
  privateAddress: 'leads to a private address, or to this server itself, which the operator has not allowed',
  otherPort: 'must use port 80 or 443: the operator has not allowed another one for this host',
  demo: 'leads to no host that the demo may ask: a super admin lists those on this machine in the settings',
  noKeys: 'cannot be used: this template takes no keys',
  missing: 'is required for this occasion',
  noSender: 'is required: the sender ID of the messages after the call',
  both: 'cannot stand beside a text of this occasion: choose one of them',
  blacklisted: 'is blacklisted',
  noMobile: 'is not a mobile number: a message would not reach it',
  answered: (status: number) => `it answered ${status}`,
  redirected: (status: number) => `it answered ${status} with another address, which is not followed`,
  fault: (status: number) => `it answered ${status}: whether it sent the message is not known`,
  slow: `it did not answer in ${answerSeconds} s: whether it sent the message is not known`,
  cut: 'the connection was lost before it answered: whether it sent the message is not known',
  stopped: 'the server was cut off while it was asked: whether it sent the message is not known',
  unreachable: (why: string) => `it cannot be reached: ${why}`,
  again: (why: string) => `it cannot be reached: ${why}; it is tried again`,
  forbidden: 'its address is private, or this server’s own, which the operator has not allowed',
  notAllowed: 'the operator does not allow this host any more',
  unreadable: 'its address cannot be read any more: compose the campaign again',
  campaignStopped: 'the campaign was stopped before it was sent',
  landline: 'the number is a landline, which no message reaches',
  onBlacklist: 'the number was blacklisted before it was sent',
  late: 'it could not be sent within 24 hours of the call',
} as const

/** Where addresses may point. `hosts`: hosts with ports that the operator allows although they are private. */
export type AddressPolicy = {
  isDemo: boolean
  hosts: readonly string[]
  ownHost: string
}

/** Checks the host before it is looked up; null when it is allowed. */
export function whyNotAsked(policy: AddressPolicy, url: URL): string | null {
  const isListed = policy.hosts.includes(url.host)
  if (policy.isDemo) return isListed ? null : words.demo
  if (isListed) return null
  if (url.port !== '' && url.port !== '80' && url.port !== '443') return words.otherPort
  return isLocalName(url.hostname) || url.hostname === policy.ownHost ? words.privateAddress : null
}

const isLocalName = (host: string): boolean => /(^|\.)(localhost|local|internal)\.?$/i.test(host)

export function reachOf({ isDemo, hosts }: AddressPolicy, url: URL): Reach {
  const privateHosts = hosts.includes(url.host) ? [url.hostname.replace(/^\[|\]$/g, '')] : []
  return { loopbackOnly: isDemo, privateHosts }
}

/** How a request ended. `again`: nothing of it was sent, so it may be repeated. */
export type Result = { state: 'sent' | 'failed' | 'unknown' | 'again'; reason: string | null }

export function resultOf(answer: AddressAnswer): Result {
  if (answer.kind === 'answered') return resultOfStatus(answer.status)
  if (answer.kind === 'lost') return { state: 'unknown', reason: answer.slow ? words.slow : words.cut }
  return answer.forbidden ? { state: 'failed', reason: words.forbidden } : { state: 'again', reason: answer.why }
}

function resultOfStatus(status: number): Result {
  if (status >= 200 && status < 300) return { state: 'sent', reason: null }
  if (status >= 500) return { state: 'unknown', reason: words.fault(status) }
  if (status >= 300 && status < 400) return { state: 'failed', reason: words.redirected(status) }
  return { state: 'failed', reason: words.answered(status) }
}

export const triesMax = 5
/** The wait after the nth request that did not reach its host. */
export const againAfterSeconds = (tries: number): number => Math.min(600, 15 * 2 ** tries)

type Addresses = Partial<Record<(typeof addressFields)[SmsOccasion], string | undefined>>
export type ChosenAddress = {
  occasion: SmsOccasion
  field: (typeof addressFields)[SmsOccasion]
  address: string
  host: string
}

type Texts = { smsSuccessText?: unknown; smsFailText?: unknown; smsDtmfTexts?: unknown }
const textFields = {
  success: 'smsSuccessText',
  fail: 'smsFailText',
  dtmf: 'smsDtmfTexts',
} as const satisfies Record<SmsOccasion, keyof Texts>

type TestedTexts = {
  occasion: SmsOccasion
  smsSuccessText?: string | undefined
  smsFailText?: string | undefined
  smsDtmfTexts?: Partial<Record<string, string>> | undefined
}

/** The text that a test of this occasion sends, for keys the first one; null when there is none. */
export function textToTest(input: TestedTexts): { text: string; field: string } | null {
  const { occasion, smsDtmfTexts = {} } = input
  if (occasion === 'dtmf') {
    const [first] = Object.entries(smsDtmfTexts)
    return first?.[1] === undefined ? null : { text: first[1], field: `smsDtmfTexts.${first[0]}` }
  }
  const field = textFields[occasion]
  const text = input[field]
  return text === undefined ? null : { text, field }
}

/** Each occasion sends one message: either a request to the address or one of our texts. */
export function besideTexts(chosen: readonly ChosenAddress[], texts: Texts): FieldError[] {
  return chosen
    .filter(({ occasion }) => texts[textFields[occasion]] !== undefined)
    .map(({ field }) => ({ field, code: 'invalid', text: words.both }))
}

export function chosenAddresses(input: Addresses): ChosenAddress[] {
  return smsOccasions.flatMap((occasion) => {
    const field = addressFields[occasion]
    const address = input[field]
    return address === undefined ? [] : [{ occasion, field, address, host: hostOfAddress(address) }]
  })
}

/** What everybody who sees the campaign may see of its addresses: '{host}/…', and how long a call must last to count as a success. */
export function addressesShown(
  input: Addresses & { callDurationSMS?: number | undefined },
): Record<string, string | number> {
  const chosen = chosenAddresses(input)
  const shown = Object.fromEntries(chosen.map(({ field, host }) => [field, `${host}/…`]))
  const hasSuccess = chosen.some(({ occasion }) => occasion === 'success')
  return { ...shown, ...(hasSuccess && { callDurationSMS: input.callDurationSMS ?? 0 }) }
}
