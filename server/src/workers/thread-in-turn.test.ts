// @module-tag exhaustive
// Cheaper: server/src/modules/auth/worker-strength.test.ts has a thread in turn.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { threadInTurn } from './thread-in-turn.ts'

test('a job that comes while the thread of the one before is ending gets a thread of its own', async () => {
  const url = new URL('../modules/auth/worker-thread.ts', import.meta.url)
  const faultOf = threadInTurn<object, string | null>({ url, what: 'rating', secondsMax: 30, staysMs: 2 })
  for (let n = 0; n < 6; n += 1) {
    expect(await faultOf({ password: 'password', words: [] }, 1)).toBe('guessable')
    await sleep(2) // with the timer that ends the thread
  }
})
