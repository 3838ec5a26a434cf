import { expect, test } from 'vitest'
import { AnswerCache } from './answer-cache.ts'

const app = {}

test('of a hundred who ask at once one reads for all, and after its time somebody reads again', async () => {
  const known = new AnswerCache<number>({ max: 10, ms: 50 })
  let reads = 0
  const ask = () => known.get(app, 'platform', async () => ++reads)
  expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set([1]))
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(await ask()).toBe(2)
})

test('what takes longer to read than it is kept is not read twice at once', async () => {
  const known = new AnswerCache<number>({ max: 10, ms: 5 })
  let reads = 0
  const ask = () =>
    known.get(app, 'slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return ++reads
    })
  const first = ask()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await Promise.all([first, ask()])).toEqual([1, 1])
})

test('each key and each installation has its own, and a failure is forgotten', async () => {
  const known = new AnswerCache<string>({ max: 10, ms: 60_000 })
  await expect(known.get(app, 'a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await known.get(app, 'a', async () => 'a')).toBe('a')
  expect(await known.get(app, 'b', async () => 'b')).toBe('b')
  expect(await known.get({}, 'a', async () => 'other')).toBe('other')
})
