import { expect, test } from 'vitest'
import { draftKey, type DraftStorage } from '../../compose/opened/draft.ts'
import { readSmsDraft, smsDraftKey, writeSmsDraft } from './draft.ts'
import { blankStart } from './message.ts'

function storage(limit = 5_000_000): DraftStorage & { held: Map<string, string> } {
  const held = new Map<string, string>()
  return {
    held,
    getItem: (key) => held.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError')
      held.set(key, value)
    },
    removeItem: (key) => void held.delete(key),
  }
}
const blank = { duplicateOf: null, baseId: null }
const key = smsDraftKey(5, blank)
const typed = {
  form: { ...blankStart.form, campaignName: 'Dues', cli: 'HimalBank', numbers: '9851012345' },
  message: { templateId: 1, text: 'Dear {name}' },
} as const

test('name, numbers, template and text of an unfinished SMS campaign come back, but for a file', () => {
  const tab = storage()
  const picked = { file: new File(['9851012345'], 'a.csv'), fileGaveName: 'a', baseName: 'a' }
  writeSmsDraft(tab, key, { ...typed, form: { ...typed.form, ...picked } }, blankStart)
  expect(readSmsDraft(tab, key)).toEqual(typed)
})

test('a draft is separate from those of calls, of other users, of duplicated campaigns and of other contact files', () => {
  expect(
    new Set([
      key,
      smsDraftKey(6, blank),
      smsDraftKey(5, { ...blank, duplicateOf: 1 }),
      smsDraftKey(5, { ...blank, baseId: 1 }),
      draftKey(5, { duplicateOf: null, baseId: null, setupId: null }),
    ]).size,
  ).toBe(5)
})

test('an unchanged form is no draft, even with a preselected sender ID, and removes the previous one', () => {
  const tab = storage()
  writeSmsDraft(tab, key, typed, blankStart)
  writeSmsDraft(tab, key, { ...blankStart, form: { ...blankStart.form, cli: 'HimalBank' } }, blankStart)
  expect(tab.held.size).toBe(0)
})

test('numbers that are too many for the storage are left out, the rest stays', () => {
  const tab = storage(5000)
  writeSmsDraft(tab, key, { ...typed, form: { ...typed.form, numbers: '9851012345\n'.repeat(1000) } }, blankStart)
  expect(readSmsDraft(tab, key)).toEqual({ ...typed, form: { ...typed.form, numbers: '' } })
})

test.each(['{"form":{"campaignName":"Ti', '{"campaignName":"of calls"}'])('no draft of %s', (text) => {
  const tab = storage()
  tab.held.set(key, text)
  expect(readSmsDraft(tab, key)).toBeNull()
})
