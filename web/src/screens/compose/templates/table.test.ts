import { expect, test } from 'vitest'
import { texts as en } from '../../../i18n/en/compose.ts'
import { texts as ne } from '../../../i18n/ne/compose.ts'
import { blankForm, ComposeForm } from '../form.ts'
import { composeTemplates } from './table.ts'

test.each(composeTemplates.map(({ id }) => id))(
  'card %i has words in both languages, and a draft keeps the choice',
  (id) => {
    for (const { templates } of [en, ne])
      expect(templates[id]).toEqual({ label: expect.stringMatching(/./), hint: expect.stringMatching(/./) })
    expect(ComposeForm.parse({ ...blankForm, template: String(id) }).template).toBe(String(id))
  },
)
