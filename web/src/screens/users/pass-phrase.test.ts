import { expect, test } from 'vitest'
import { strengthOf } from '../../components/form/passwords/password-strength.ts'
import { newPassPhrase } from './pass-phrase.ts'

test('a pass-phrase has five words, is another one each time, and is as strong as the meter can say', () => {
  const phrases = Array.from({ length: 200 }, newPassPhrase)
  expect(new Set(phrases).size).toBe(phrases.length)
  for (const phrase of phrases) {
    expect(phrase).toMatch(/^[a-z]{4,9}(?: [a-z]{4,9}){4}$/)
    expect(strengthOf(phrase, { username: 'maya', name: 'Maya Lama', company: 'Lama Tea' })).toMatchObject({ score: 4 })
  }
})
