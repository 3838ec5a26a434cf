import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { benches, benchesOf, merged, sectionOf, plainText } from './performance.ts'

const section = (name: string, text: string) =>
  sectionOf({
    name,
    command: `npm run bench:${name}`,
    at: new Date('2026-11-23T10:00:00Z'),
    commit: 'abc1234',
    machine: '2 cores',
    text,
  })
const sms = section(
  'sms',
  "bare library, with receipts: 5870 segments/s\nnoise\nthe driver's rate is 112 % of the bare library's\n",
)

test('a section has figure, ceiling and command on top, and the whole output beneath', () => {
  expect(sms).toContain('`npm run bench:sms`, 2026-11-23, commit abc1234, on 2 cores.')
  expect(sms).toContain('- bare library, with receipts: 5870 segments/s\n- the driver')
  expect(sms).not.toContain('- noise')
  expect(sms).toContain('```\nbare library, with receipts: 5870 segments/s\nnoise\n')
  expect(plainText('\u001B[32m✓\u001B[39m done')).toBe('✓ done')
  expect(plainText('\n RUN  v5.1.0 /a/folder\n\nrate 5'), 'no folder of the machine').toBe('\n\nrate 5')
})

test('a run replaces the sections it measured, in a fixed order; other benches and earlier releases stay', () => {
  const old = merged('', '0.1.0', sms)
  const first = merged(old, '0.2.0', sms)
  const second = merged(first, '0.2.0', section('dispatch', 'engine: 1 attempts/s'))
  const third = merged(second, '0.2.0', section('sms', 'bare: 7 segments/s'))
  expect(third.match(/^##+ .*$/gm)).toEqual(['## 0.2.0', '### dispatch', '### sms', '## 0.1.0', '### sms'])
  expect(third).toContain('- bare: 7 segments/s')
  expect(third.split('## 0.1.0')[0]).not.toContain('5870')
  expect(merged(third, '0.2.0', section('sms', 'bare: 7 segments/s'))).toBe(third)
})

test('npm run bench runs every bench of package.json, new ones at the end', () => {
  const file = path.resolve(import.meta.dirname, '../package.json')
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> }
  expect(benchesOf(scripts), 'the page says what each of them measures').toEqual(Object.keys(benches))
  expect(benchesOf({ 'bench:new': '', bench: '', 'bench:sms': '', test: '' })).toEqual(['sms', 'new'])
  const fresh = merged(merged('', '1.0.0', section('new', 'rate 5 (aim 4)\nnoise')), '1.0.0', sms)
  expect(fresh.match(/^### .*$/gm)).toEqual(['### sms', '### new'])
  expect(fresh).toContain('- rate 5 (aim 4)\n\n')
})
