import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { requireNoTurn } from '../lib/turn-held.ts'
import { lookUpSession, takeTurn } from './turns.ts'

const place = ['203.0.113.0/24', '203.0.113.7/32'] as const

test('a thousand wrong tokens from an address keep nobody there out who is signed in', async () => {
  const viewer = { userId: 7 }
  await lookUpSession({ token: 'mine', place }, async () => viewer)
  let looked = 0
  const flood = Array.from({ length: 1000 }, (_, n) =>
    lookUpSession({ token: `wrong ${n}`, place }, async () => {
      await sleep(1)
      looked += 1
      return null
    }),
  )
  expect(await lookUpSession({ token: 'mine', place }, async () => viewer)).toBe(viewer)
  expect(looked).toBeLessThan(10)
  await Promise.all(flood)
})

test('more than five hundred of one account that wait are told to come again', async () => {
  const asked = Array.from({ length: 600 }, () => takeTurn({ account: 7 }, () => sleep(1)))
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(96) // four had their turn at once
  expect(refused[0]).toMatchObject({ reason: { code: 'not_ready', retryAfterSeconds: 2 } })
})

test('an account that composes six times at once leaves places for five others', async () => {
  const order: number[] = []
  const compose = (account: number) =>
    takeTurn({ account, composing: true }, async () => {
      await sleep(5)
      order.push(account)
    })
  const hostile = Array.from({ length: 6 }, () => compose(1))
  await Promise.all([...[2, 3, 4, 5, 6].map(compose), ...hostile])
  expect(order.slice(0, 6).toSorted()).toEqual([1, 2, 3, 4, 5, 6])
})

test('who reads a file while a turn is held is a bug, and says so', async () => {
  const read = async () => requireNoTurn('the reading of a file')
  await expect(takeTurn({ account: 7 }, read)).rejects.toThrow('would keep a turn of the database waiting')
  await expect(takeTurn({ account: 7, composing: true }, read)).resolves.toBeUndefined()
  await expect(read()).resolves.toBeUndefined()
})
