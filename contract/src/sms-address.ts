import * as z from 'zod/mini'
import type { SmsOccasion } from './after-call.ts'
import { OneLine, Text, wireInt } from './values.ts'

/** The field of compose that has the address of each. */
export const addressFields = {
  success: 'smsSuccessApi',
  fail: 'smsFailApi',
  dtmf: 'smsDtmfApi',
} as const satisfies Record<SmsOccasion, string>

/** What stands in an address for the ten digits of the number. */
export const phonePlace = '{PHONE}'
const addressLengthMax = 1000
const samples = ['9800000001', '9800000002'] as const

/** What is asked for a number. Throws when the address is none; its host is never the number's. */
export function addressFor(address: string, tenDigits: string): URL {
  return new URL(address.replaceAll(phonePlace, tenDigits))
}

/** The host as it is shown, with its port when that is not the usual one: all that anybody sees of a stored address. */
export const hostOfAddress = (address: string): string => addressFor(address, samples[0]).host

/** Whether two numbers have that in common. */
const alike = (address: string, of: (url: URL) => string): boolean => {
  const [one, other] = samples.map((digits) => of(addressFor(address, digits)))
  return one === other
}
const parses = (address: string): boolean =>
  samples.every((digits) => URL.canParse(address.replaceAll(phonePlace, digits))) && alike(address, (url) => url.origin)

/** An address of somebody's own SMS service; it carries their credentials. Whether it may be asked, the server says. */
export const SmsAddress = Text(addressLengthMax).check(
  z.refine((url) => /^https?:\/\//i.test(url), { error: 'must begin with http:// or https://', abort: true }),
  z.refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), {
    error: 'must not hold a user name or a password before its host',
    abort: true,
  }),
  z.refine(parses, {
    error: 'is no address, or has {PHONE} in its host',
    abort: true,
  }),
  z.refine((url) => !alike(url, ({ pathname, search }) => pathname + search), {
    error: 'must have {PHONE} in the place of the number, behind its host',
  }),
)

/** The seconds that specification 1 §5 offers: 1 to 60. */
export const answeredSecondsMax = 60

/** Fields of compose. */
export const addressInput = {
  smsSuccessApi: z.optional(SmsAddress),
  smsFailApi: z.optional(SmsAddress),
  smsDtmfApi: z.optional(SmsAddress),
  /** A call that was answered for so many seconds is a success; without an option for success it says nothing. */
  callDurationSMS: z.optional(wireInt(0, answeredSecondsMax)),
}

/** 'sms.example.com' or 'sms.example.com:8443', as an operator lists what may be asked although it is private. */
export const SmsAddressHosts = z
  .array(
    OneLine({ error: 'must be a host like sms.example.com or 10.0.0.7:8080' }).check(
      z.trim(),
      z.toLowerCase(),
      z.maxLength(260, { error: 'is longer than 260 characters' }),
      z.refine((host) => isHost(host), { error: 'must be a host like sms.example.com or 10.0.0.7:8080' }),
    ),
    { error: 'must be a list of hosts' },
  )
  .check(z.maxLength(100, { error: 'has more than 100 hosts' }))

/** As addresses have it: `new URL` writes one host in one way. */
function isHost(host: string): boolean {
  return URL.canParse(`http://${host}/`) && new URL(`http://${host}/`).host === host
}
