import { expect, test } from 'vitest'
import { atEndOfFile, cleanUp } from './cleanup.ts'

test('what a test opened is closed in the opposite order, once, and a failure keeps none of the others open', async () => {
  const closed: string[] = []
  atEndOfFile(() => closed.push('database'))
  atEndOfFile(() => Promise.reject(new Error('the server hangs')))
  atEndOfFile(async () => closed.push('browser'))
  await expect(cleanUp()).rejects.toMatchObject({ errors: [{ message: 'the server hangs' }] })
  expect(closed).toEqual(['browser', 'database'])
  await cleanUp()
  expect(closed).toHaveLength(2)
})
