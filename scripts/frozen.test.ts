import { expect, test } from 'vitest'
import { isTest, sources } from './tidy-sources.ts'

/** Settling reserves no more than it releases: texts after a call get what the call had (server/sql/settle_calls_2.sql). */
test('whatever reserves money of an account looks whether it is frozen', () => {
  const reserving = sources
    .filter(({ file }) => file.endsWith('.sql.ts') && !isTest(file))
    .filter(({ text }) => /reserved_paisa = \w+\.reserved_paisa \+/.test(text))
  expect(reserving.length).toBeGreaterThan(2)
  for (const { file, text } of reserving) expect(text, file).toContain('not a.frozen')
})
