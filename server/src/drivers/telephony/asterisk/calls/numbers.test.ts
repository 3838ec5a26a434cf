import { expect, test } from 'vitest'
import { calledAs, cliAs } from './numbers.ts'

test.each([
  { why: 'as it is kept: E.164 without the plus', strip: '', prefix: '', called: '9779841000199' },
  { why: 'with the plus', strip: '', prefix: '+', called: '+9779841000199' },
  { why: 'national, ten digits', strip: '977', prefix: '', called: '9841000199' },
  { why: 'national behind a 0', strip: '977', prefix: '0', called: '09841000199' },
  { why: 'behind the operator’s access code', strip: '', prefix: '1234', called: '12349779841000199' },
  { why: 'what is not its beginning is not stripped', strip: '00', prefix: '', called: '9779841000199' },
])('a called number is written $why', ({ strip, prefix, called }) => {
  expect(calledAs('+9779841000199', { numberStrip: strip, numberPrefix: prefix })).toBe(called)
})

test.each([
  { cli: '015970001', national: '015970001', e164: '97715970001', plus: '+97715970001', asIs: '015970001' },
  { cli: '97715970001', national: '015970001', e164: '97715970001', plus: '+97715970001', asIs: '97715970001' },
  { cli: '9841000100', national: '9841000100', e164: '9779841000100', plus: '+9779841000100', asIs: '9841000100' },
  { cli: '1660', national: '1660', e164: '1660', plus: '1660', asIs: '1660' },
])('caller ID $cli in every form', ({ cli, ...forms }) => {
  for (const format of ['national', 'e164', 'plus', 'asIs'] as const) expect(cliAs(cli, format)).toBe(forms[format])
})
