import type { Route } from '@ghanti/contract/route.ts'

const texts = [
  '\u0000',
  '\ud800',
  'NaN',
  '-1',
  '1e5',
  '99999999999',
  '2147483648',
  '9007199254740993',
  '9999999999.zip',
  '2026-99-99 99:99:99',
  '0000-01-01',
  '0000-01-01 00:00:00',
  '9999-12-31',
  '9999-12-31 23:59:59',
  '1900-01-01..9999-12-31',
  '+275760-09-13',
  'http://[{PHONE}',
  'http://{PHONE}.example.com/\udfff',
  '__proto__',
  'x'.repeat(10_001),
  '[{"a":1}]',
]
const values = [
  ...texts,
  '[null]',
  true,
  1e300,
  0.5,
  [],
  [[]],
  [{ agentNumber: {}, agentDtmf: [1] }],
  [{ agentNumber: '\u0000', agentDtmf: '\ud800' }],
  {},
  { a: { b: 1 } },
]
const textsOfUploads = ['\u0000', '\ud800', '__proto__', 'x'.repeat(10_001)]
/** Query strings and forms contain only text. An accepted upload starts a thread, so uploads get fewer requests. */
export function garbageFor({ method, kind }: Route): readonly unknown[] {
  if (kind === 'upload') return textsOfUploads
  return method === 'POST' ? values : texts
}
