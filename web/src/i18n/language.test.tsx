import { afterEach, expect, test } from 'vitest'
import { loadTexts, setLanguage, textsOf } from './language.ts'

afterEach(() => setLanguage('en'))

test('texts requested while another language loads arrive in that language', async () => {
  const switched = setLanguage('ne')
  const arrived = loadTexts('dates')
  await Promise.all([switched, arrived])
  expect(() => textsOf('dates')).not.toThrow()
  expect(textsOf('dates').open).toMatch(/[\u0900-\u097f]/)
})
