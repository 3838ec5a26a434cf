import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { plainSipOptions, SipOptions } from './sip-options.ts'

test('a plain trunk offers session timers and ends calls after a minute without sound', () => {
  expect(plainSipOptions).toMatchObject({
    sessionTimers: 'offered',
    silentSeconds: 6,
    rtpTimeoutSeconds: 60,
  })
})

test.each([
  { why: 'a reply after the dialer gave up', of: { silentSeconds: 33 }, is: 'must be a whole number from 2 to 30' },
  { why: 'calls that end with every loss', of: { rtpTimeoutSeconds: 2 }, is: 'must be 0, or 5 to 3600' },
])('refused: $why', ({ of, is }) => {
  const { error } = z.safeParse(SipOptions, of)
  expect(error?.issues.map(({ message }) => message)).toEqual([is])
})

test.each([{ rtpTimeoutSeconds: 0 }, { rtpTimeoutSeconds: 5 }, { silentSeconds: 30 }])(
  'taken: %o',
  (of) => expect(z.parse(SipOptions, of)).toEqual({ ...plainSipOptions, ...of }),
)
