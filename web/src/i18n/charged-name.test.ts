import { afterAll, expect, test } from 'vitest'
import { chargedName } from './charged-name.ts'
import { setLanguage } from './language.ts'

afterAll(() => setLanguage('en'))

test('a test call’s charge is named in the reader’s language, a campaign’s keeps the name that its owner gave', async () => {
  expect(chargedName('Test call: Dashain')).toBe('Test call: Dashain')
  await setLanguage('ne')
  expect(chargedName('Test call: Dashain')).toBe('टेस्ट कल: Dashain')
  expect(chargedName('Test call')).toBe('टेस्ट कल')
  expect(chargedName('Call Now: Dashain')).toBe('अहिले कल: Dashain')
  expect(chargedName('is too short'), 'a sentence of ours as its name').toBe('is too short')
})
