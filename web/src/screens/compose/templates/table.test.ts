import { expect, test } from 'vitest'
import { texts as en } from '../../../i18n/en/compose.ts'
import { texts as ne } from '../../../i18n/ne/compose.ts'
import { blankForm } from '../form.ts'
import { readDraft } from '../opened/draft.ts'
import { composeTemplates } from './table.ts'
import { cardWords } from './template.ts'

const draftOf = (template: string) => {
  const kept = JSON.stringify({ ...blankForm, template })
  const storage = { getItem: () => kept, setItem: () => undefined, removeItem: () => undefined }
  return readDraft(storage, 'draft')?.template
}

test.each(composeTemplates)('card $english.label has words in both languages, and a draft keeps the choice', (card) => {
  expect(cardWords(card, en)).toEqual(card.english)
  expect(cardWords(card, ne)).toEqual({
    label: expect.stringMatching(/./),
    does: expect.stringMatching(/[\u0900-\u097f]/),
  })
  expect(draftOf(String(card.id))).toBe(String(card.id))
})

test('a draft of a card that there is no more has none', () => {
  expect(draftOf('77')).toBe(null)
})

test('cards stand in the order of their numbers', () => {
  expect(composeTemplates.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6])
})
