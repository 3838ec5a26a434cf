import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { plainSipOptions, SipOptions } from './sip-options.ts'

test('a plain trunk offers session timers, ends calls after a minute without sound and marks sound as expedited', () => {
  expect(plainSipOptions).toMatchObject({
    sessionTimers: 'offered',
    silentSeconds: 6,
    rtpTimeoutSeconds: 60,
    rewriteContact: false,
    ptimeMs: 20,
    rtpDscp: 46,
  })
})

test.each([
  { why: 'a reply after the dialer gave up', of: { silentSeconds: 33 }, is: 'must be a whole number from 2 to 30' },
  { why: 'calls that end with every loss', of: { rtpTimeoutSeconds: 2 }, is: 'must be 0, or 5 to 3600' },
  { why: 'packets of no usual size', of: { ptimeMs: '25' }, is: 'must be 10, 20, 30, 40, 50 or 60' },
  { why: 'a byte instead of a DSCP', of: { rtpDscp: 184 }, is: 'must be a whole number from 0 to 63' },
])('refused: $why', ({ of, is }) => {
  const { error } = z.safeParse(SipOptions, of)
  expect(error?.issues.map(({ message }) => message)).toEqual([is])
})

test.each([{ rtpTimeoutSeconds: 0 }, { rtpTimeoutSeconds: 5 }, { ptimeMs: 60 }, { rtpDscp: 0 }, { silentSeconds: 30 }])(
  'taken: %o',
  (of) => expect(z.parse(SipOptions, of)).toEqual({ ...plainSipOptions, ...of }),
)
