import { expect, test } from 'vitest'
import { functionFiles } from '../../db/schema/functions.ts'
import { migrationFiles } from '../../db/schema/migrate.ts'
import { textsOfRow } from './rules.ts'

test('the messages of a row are numbered in SQL by as many texts as here', () => {
  const calls = functionFiles().filter(({ text }) => text.includes('sms_message') && text.includes('call_text'))
  expect(calls.length).toBeGreaterThan(0)
  for (const { text } of calls) expect(text).toContain(`e.no * ${textsOfRow} + t.no as no`)
  const [schema] = migrationFiles()
  expect(schema?.text).toContain(`check (no between 0 and ${textsOfRow - 1})`)
})
