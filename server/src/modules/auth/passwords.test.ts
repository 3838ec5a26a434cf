import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './actions-passwords.ts'

test('argon2id with the parameters that were chosen', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(hash, 'correct horse')).toBe(true)
  expect(await verifyPassword(hash, 'Correct horse')).toBe(false)
  expect(await verifyPassword(null, 'the password of nobody')).toBe(false)
})

test('a flood waits in line, is turned away when the line is long, and leaves threads for files', async () => {
  const flood = Array.from({ length: 150 }, () =>
    hashPassword('x').then(
      () => 'made',
      (error: { code: string }) => error.code,
    ),
  )
  const file = readFile(import.meta.filename).then(() => 'read')
  expect(await Promise.race([file, Promise.all(flood)])).toBe('read')
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(102)
  expect(outcomes.filter((outcome) => outcome === 'not_ready')).toHaveLength(48)
  expect(await hashPassword('afterwards')).toContain('argon2id')
})
