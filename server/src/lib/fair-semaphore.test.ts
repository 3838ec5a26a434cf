import { expect, test } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

function works() {
  const began: string[] = []
  const ends: (() => void)[] = []
  const begin = (name: string) => () => {
    began.push(name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  /** Ends the work that started first, so that the next can start. */
  const endOne = async () => {
    ends.shift()?.()
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  return { began, begin, endOne }
}

test('so many run at once, the others wait in their order', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(2)
  const all = ['a', 'b', 'c', 'd'].map((name) => turns.run(begin(name)))
  expect(began).toEqual(['a', 'b'])
  await endOne()
  expect(began).toEqual(['a', 'b', 'c'])
  for (let i = 0; i < 3; i++) await endOne()
  await Promise.all(all)
  expect(began).toEqual(['a', 'b', 'c', 'd'])
})

test('whoever has one thing waiting comes after one thing of whoever has many, not after all of them', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(1)
  const all = [
    ...Array.from({ length: 20 }, (_, i) => turns.run(begin(`hostile ${i}`), 1)),
    turns.run(begin('second'), 2),
    turns.run(begin('third'), 3),
    turns.run(begin('second again'), 2),
  ]
  for (let i = 0; i < all.length; i++) await endOne()
  await Promise.all(all)
  expect(began.slice(0, 8)).toEqual([
    'hostile 0',
    'hostile 1',
    'second',
    'third',
    'hostile 2',
    'second again',
    'hostile 3',
    'hostile 4',
  ])
  expect(began).toHaveLength(23)
})

test('with a limit of each, the places left are for the others', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(2, { ofEach: 1 })
  const all = [
    ...['hostile 0', 'hostile 1', 'hostile 2'].map((name) => turns.run(begin(name), 1)),
    turns.run(begin('second'), 2),
    turns.run(begin('third'), 3),
  ]
  expect(began, 'a place is free for whoever comes').toEqual(['hostile 0', 'second'])
  for (let i = 0; i < all.length; i++) await endOne()
  await Promise.all(all)
  expect(began).toEqual(['hostile 0', 'second', 'hostile 1', 'third', 'hostile 2'])
})

test('work that fails gives its place to the next', async () => {
  const turns = new FairSemaphore(1)
  const failed = turns.run(() => Promise.reject(new Error('no')), 1)
  const next = turns.run(() => Promise.resolve('yes'), 2)
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('more than may wait are turned away at once, and there is room again afterwards', async () => {
  const { begin, endOne } = works()
  const turns = new FairSemaphore(1, { waitingMax: 2 })
  const taken = ['a', 'b', 'c'].map((name) => turns.run(begin(name), name))
  await expect(turns.run(begin('d'), 'd')).rejects.toMatchObject({ code: 'not_ready', retryAfterSeconds: 2 })
  for (let i = 0; i < 3; i++) await endOne()
  await Promise.all(taken)
  const later = turns.run(begin('e'), 'e')
  await endOne()
  await later
})
