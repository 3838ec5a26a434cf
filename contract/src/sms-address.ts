import * as z from 'zod/mini'
import type { SmsOccasion } from './after-call.ts'
import { OneLine, Text, wireInt } from './values.ts'

/** The field of compose with each occasion's address. */
export const addressFields = {
  success: 'smsSuccessApi',
  fail: 'smsFailApi',
  dtmf: 'smsDtmfApi',
} as const satisfies Record<SmsOccasion, string>

/** Replaced by the number's ten digits. */
export const phonePlace = '{PHONE}'
const addressLengthMax = 1000
const samples = ['9800000001', '9800000002'] as const

/** The URL for a number. Throws for an invalid address; the host never depends on the number. */
export function addressFor(address: string, tenDigits: string): URL {
  return new URL(address.replaceAll(phonePlace, tenDigits))
}

/** The host, with its port if non-standard. Nothing else of a stored address is ever shown. */
export const hostOfAddress = (address: string): string => addressFor(address, samples[0]).host

const alike = (address: string, of: (url: URL) => string): boolean => {
  const [one, other] = samples.map((digits) => of(addressFor(address, digits)))
  return one === other
}
const parses = (address: string): boolean =>
  samples.every((digits) => URL.canParse(address.replaceAll(phonePlace, digits))) && alike(address, (url) => url.origin)

/** The URL of a customer's own SMS service, which may contain their credentials. The server decides whether it may be used. */
export const SmsAddress = Text(addressLengthMax).check(
  z.refine((url) => /^https?:\/\//i.test(url), { error: 'must begin with http:// or https://', abort: true }),
  z.refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), {
    error: 'must not hold a user name or a password before its host',
    abort: true,
  }),
  z.refine(parses, {
    error: 'is not an address, or has {PHONE} in its host',
    abort: true,
  }),
  z.refine((url) => !alike(url, ({ pathname, search }) => pathname + search), {
    error: 'must have {PHONE} in the place of the number, behind its host',
  }),
)

/** Specification 1 §5 offers 1 to 60. */
export const answeredSecondsMax = 60

export const addressInput = {
  smsSuccessApi: z.optional(SmsAddress),
  smsFailApi: z.optional(SmsAddress),
  smsDtmfApi: z.optional(SmsAddress),
  /** How long a call must be answered to count as a success; has no effect without an option for success. */
  callDurationSMS: z.optional(wireInt(0, answeredSecondsMax)),
}

/** 'sms.example.com' or 'sms.example.com:8443': private hosts that the platform's operator allows. */
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

/** In the normal form that `new URL` writes. */
function isHost(host: string): boolean {
  return URL.canParse(`http://${host}/`) && new URL(`http://${host}/`).host === host
}
