import { expect, test } from 'vitest'
import { draftKey, dropDraft, readDraft, writeDraft, type DraftStorage } from './draft.ts'
import { blankForm } from '../form.ts'

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
const nothing = { duplicateOf: null, baseId: null, setupId: null }
const key = draftKey(5, nothing)
const typed = { ...blankForm, campaignName: 'Tihar', numbers: '9851012345', keys: ['1'] }

test('typed values are restored, but not a file, which browsers grant only once', () => {
  const tab = storage()
  writeDraft(tab, key, { ...typed, file: new File(['9851012345'], 'a.csv') }, blankForm)
  expect(readDraft(tab, key)).toEqual({ ...typed, file: null })
})

test.each([
  { why: 'the file’s own name goes with it', fileGaveName: 'Members', baseName: 'Members', kept: '' },
  { why: 'a typed name stays', fileGaveName: 'Members', baseName: 'Savings club', kept: 'Savings club' },
])('$why', ({ fileGaveName, baseName, kept }) => {
  const tab = storage()
  writeDraft(tab, key, { ...typed, fileGaveName, baseName }, blankForm)
  expect(readDraft(tab, key)?.baseName).toBe(kept)
})

test('a file that is only picked is no draft', () => {
  const tab = storage()
  const file = new File(['9851012345'], 'a.csv')
  writeDraft(tab, key, { ...blankForm, file, fileGaveName: 'a', baseName: 'a' }, blankForm)
  expect(tab.held.size).toBe(0)
})

test('each user and each duplicated campaign has a draft of its own', () => {
  const opened = [
    draftKey(5, nothing),
    draftKey(6, nothing),
    ...[1, 2].map((duplicateOf) => draftKey(5, { ...nothing, duplicateOf })),
    ...[1, 2].map((baseId) => draftKey(5, { ...nothing, baseId })),
    ...[1, 2].map((setupId) => draftKey(5, { ...nothing, setupId })),
  ]
  expect(new Set(opened).size).toBe(opened.length)
})

test('an unchanged form is no draft and removes the previous one', () => {
  const tab = storage()
  writeDraft(tab, key, typed, blankForm)
  writeDraft(tab, key, { ...blankForm }, blankForm)
  expect(tab.held.size).toBe(0)
})

test('numbers that are too many for the storage are left out, the rest stays', () => {
  const tab = storage(5000)
  writeDraft(tab, key, { ...typed, numbers: '9851012345\n'.repeat(1000) }, blankForm)
  expect(readDraft(tab, key)).toEqual({ ...typed, numbers: '' })
})

test('a full storage keeps no older draft either', () => {
  const tab = storage(10)
  tab.held.set(key, 'old')
  writeDraft(tab, key, typed, blankForm)
  expect(readDraft(tab, key)).toBeNull()
  expect(tab.held.size).toBe(0)
})

test.each([
  { why: 'none was kept', text: undefined },
  { why: 'it was cut', text: '{"campaignName":"Ti' },
  { why: 'a value is of another kind', text: '{"campaignName":7}' },
])('no draft when $why', ({ text }) => {
  const tab = storage()
  if (text !== undefined) tab.held.set(key, text)
  expect(readDraft(tab, key)).toBeNull()
})

test('a draft that an older form wrote comes back, and what it lacks is blank', () => {
  const tab = storage()
  tab.held.set(key, '{"campaignName":"Tihar"}')
  expect(readDraft(tab, key)).toEqual({ ...blankForm, campaignName: 'Tihar' })
})

test('a dropped draft is gone', () => {
  const tab = storage()
  writeDraft(tab, key, typed, blankForm)
  dropDraft(tab, key)
  expect(readDraft(tab, key)).toBeNull()
})
