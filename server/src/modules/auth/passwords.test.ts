import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './actions-passwords.ts'

const home = '192.0.2.1/32'

test('argon2id with the parameters that were chosen', async () => {
  const hash = await hashPassword('correct horse', 1)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(hash, 'correct horse', home)).toBe(true)
  expect(await verifyPassword(hash, 'Correct horse', home)).toBe(false)
  expect(await verifyPassword(null, 'the password of nobody', home)).toBe(false)
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

test('a hundred new passwords of one account hold up neither a sign-in nor another account’s password', async () => {
  const known = await hashPassword('correct horse', 1)
  const { done, recorded } = recorder()
  const flood = Array.from({ length: 100 }, () => recorded('flood', hashPassword('x', 1)))
  const others = [
    recorded('sign-in', verifyPassword(known, 'correct horse', home)),
    recorded('other', hashPassword('y', 2)),
  ]
  await Promise.all(others)
  expect(done.length, done.join()).toBeLessThan(50)
  await Promise.all(flood)
  expect(done.filter((what) => what === 'flood')).toHaveLength(100)
}, 60_000)

test('a flood of sign-ins waits in line, is turned away when the line is long, and holds up neither files, other networks nor new passwords', async () => {
  const known = await hashPassword('correct horse', 1)
  const { done, recorded } = recorder()
  const flood = Array.from({ length: 101 }, () => recorded('flood', verifyPassword(known, 'x', '203.0.113.9/32')))
  const read = recorded('file', readFile(import.meta.filename))
  const others = [
    recorded('other network', verifyPassword(known, 'x', home)),
    recorded('new password', hashPassword('y', 2)),
  ]
  const late = Array.from({ length: 9 }, () => recorded('late', verifyPassword(known, 'x', '203.0.113.9/32')))
  await Promise.all([read, ...others])
  expect(done.filter((what) => what === 'flood').length, done.join()).toBeLessThan(10)
  await Promise.all([...flood, ...late])
  expect(done.filter((what) => what === 'late not_ready')).toHaveLength(9)
  expect(await hashPassword('afterwards', 1)).toContain('argon2id')
}, 60_000)
