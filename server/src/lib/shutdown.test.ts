import { expect, test } from 'vitest'
import { Shutdown } from './shutdown.ts'

const complaints: string[] = []
const log = {
  error: ({ error }: { error: unknown }, what: string) => complaints.push(`${what}: ${Object(error).message}`),
}

test('what began last ends first; a step that hangs is named and left, one that fails too, and the others end all the same', async () => {
  const ended: string[] = []
  const ending = new Shutdown()
  ending.add('the database', () => ended.push('database'))
  ending.add('Asterisk', async () => ended.push('asterisk'), 1000)
  ending.add('the pool', () => {
    throw new Error('no')
  })
  ending.add('the engine', () => new Promise(() => undefined), 50)
  ending.add('the API', () => ended.push('api'))
  expect(await ending.end(log)).toBe(false)
  expect(ended).toEqual(['api', 'asterisk', 'database'])
  expect(complaints).toEqual(['ending the engine: it did not end in 50 ms and is left as it is', 'ending the pool: no'])
  expect(await ending.end(log)).toBe(true)
})
