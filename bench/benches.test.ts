/** Runs every bench at its smallest size, so that a change that breaks one fails here. Checks no figure. */
import { expect, test, vi } from 'vitest'
import { runSmallest } from './run-smallest.ts'

vi.setConfig({ testTimeout: 250_000 })

const runs = async (name: string, expected: RegExp) => expect(await runSmallest(name)).toMatch(expected)

test.each([['dispatch', /the engine's rate is \d.*of the bare one[^]*follower of insight: \d[^]*the books are right/]])(
  'bench/%s runs, and what it counts is right',
  runs,
)

test.each([
  ['import', /import: .* 778 uploaded/],
  ['blacklist-import', /import: .* of the bare COPY's rate/],
  ['lists', /credits\.history \(superAdmin\).*\d/],
  ['exports', /csv: \d+ calls[^]*xlsx: \d+ calls[^]*parquet: \d+ calls[^]*every (figure|export)/],
  ['reports', /filtered.*\d[^]*insight.*\d[^]*every question/],
  ['sms', /the driver's rate is \d+ %/],
  ['sends', /messages, \d+\/s with 4 keys[^]*the books are right/],
  ['sms-kannel', /times Kannel's rate[^]*the books are right/],
  ['sms-million', /report of a reseller: p95[^]*the books are right/],
  ['speech', /asked for again: 4 in/],
  ['console', /compose .*LCP \d[^]*white for \d[^]*switch the colours.*INP \d+ ms/],
  ['scale', /2 engines, 10 dialers, 10 campaigns: \d[^]*a claim takes \d[^]*the books are right/],
  ['migrate', /2 databases of \d+ files: \d+ ms each/],
  ['idle', /10 idle dialers, one engine, 2 s: \d/],
])('bench/%s runs, and what it counts is right', { tags: ['exhaustive'] }, runs)
