import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './actions-passwords.ts'

test('argon2id with the parameters that were chosen', async () => {
  const hash = await hashPassword('correct horse', 1)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(hash, 'correct horse', 'strangers')).toBe(true)
  expect(await verifyPassword(hash, 'Correct horse', 'strangers')).toBe(false)
  expect(await verifyPassword(null, 'the password of nobody', 'strangers')).toBe(false)
})

function recorder() {
  const done: string[] = []
  const recorded = (what: string, work: Promise<unknown>) =>
    work.then(
      () => done.push(what),
      (error: { code: string }) => done.push(`${what} ${error.code}`),
    )
  return { done, recorded }
}

/**
 * Without turns all of a flood is done before the others. With them the others begin after the two that run, as fair-semaphore.test.ts has it to the
 * piece. What is seen here is the end: a busy machine may give the thread of theirs no time while the other one goes on with the flood, ten hashes
 * of 20 ms once.
 */
const wellBeforeTheEnd = 50

test('a hundred new passwords of one account hold up neither a sign-in nor another account’s password', async () => {
  const known = await hashPassword('correct horse', 1)
  const { done, recorded } = recorder()
  const flood = Array.from({ length: 100 }, () => recorded('flood', hashPassword('x', 1)))
  const others = [
    recorded('sign-in', verifyPassword(known, 'correct horse', 'strangers')),
    recorded('other', hashPassword('y', 2)),
  ]
  await Promise.all(others)
  expect(done.length, done.join()).toBeLessThan(wellBeforeTheEnd)
  await Promise.all(flood)
  expect(done.filter((what) => what === 'flood')).toHaveLength(100)
}, 60_000)

test('a hundred sign-ins of strangers hold up neither files, known browsers nor new passwords', async () => {
  const known = await hashPassword('correct horse', 1)
  const { done, recorded } = recorder()
  const flood = Array.from({ length: 100 }, () => recorded('flood', verifyPassword(known, 'x', 'strangers')))
  await Promise.all([
    recorded('file', readFile(import.meta.filename)),
    recorded('known browser', verifyPassword(known, 'x', 'known')),
    recorded('new password', hashPassword('y', 2)),
  ])
  expect(done.filter((what) => what === 'flood').length, done.join()).toBeLessThan(wellBeforeTheEnd)
  await Promise.all(flood)
}, 60_000)
