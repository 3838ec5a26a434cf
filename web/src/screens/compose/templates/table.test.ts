import { expect, test } from 'vitest'
import { texts as en } from '../../../i18n/en/compose.ts'
import { texts as ne } from '../../../i18n/ne/compose.ts'
import { blankForm, ComposeForm } from '../form.ts'
import { composeTemplates } from './table.ts'

test.each(composeTemplates)('card $id has words in both languages, and a draft keeps the choice', ({ id, words }) => {
  for (const texts of [en, ne])
    expect(words(texts)).toEqual({ label: expect.stringMatching(/./), hint: expect.stringMatching(/./) })
  expect(ComposeForm.parse({ ...blankForm, template: String(id) }).template).toBe(String(id))
})

test('cards stand in the order of their numbers', () => {
  expect(composeTemplates.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6])
})
