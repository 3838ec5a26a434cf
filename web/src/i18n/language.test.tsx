import { afterEach, expect, test } from 'vitest'
import { loadTexts, setLanguage, textsOf } from './language.ts'

afterEach(() => setLanguage('en'))

test('texts that a part asks for while another language is on its way are there in that language', async () => {
  const switched = setLanguage('ne')
  const arrived = loadTexts('dates')
  await Promise.all([switched, arrived])
  expect(() => textsOf('dates')).not.toThrow()
  expect(textsOf('dates').open).toMatch(/[\u0900-\u097f]/)
})
