import { expect, test } from 'vitest'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { SmsAddress, SmsAddressHosts } from '@ghanti/contract/sms-address.ts'
import { words } from '../../server/src/modules/after-call/rules.ts'

const said: Record<keyof typeof words, string> = {
  ...words,
  answered: words.answered(404),
  redirected: words.redirected(302),
  fault: words.fault(500),
  unreachable: words.unreachable('connection refused'),
  again: words.again('its name is not known'),
}
const whyNot = (schema: typeof SmsAddress | typeof SmsAddressHosts, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []
const faults = [
  ...['ftp://a/{PHONE}', 'http://a', 'http://u:p@a/{PHONE}', 'http://{PHONE}/'].flatMap((one) =>
    whyNot(SmsAddress, one),
  ),
  ...whyNot(SmsAddressHosts, ['a/b']),
  ...whyNot(SmsAddressHosts, 'a'),
  ...whyNot(
    SmsAddressHosts,
    Array.from({ length: 101 }, (_, n) => `host${n}`),
  ),
]
/** Names that stay as they are. */
const names = /\{PHONE\}|sms\.example\.com|https?:\/\//g

test.each([...new Set([...Object.values(said), ...faults])])(
  'of messages after calls in Nepali, too: %s',
  (english) => {
    expect(nepaliOf(english).replace(names, '')).not.toMatch(/[a-z]{2}/i)
  },
)
