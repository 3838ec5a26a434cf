import { expect, test } from 'vitest'
import { policy } from './policy.ts'

const lines = Object.entries(policy)
  .map(([route, roles]: [string, 'public' | readonly string[]]) => `${route}: ${[roles].flat().join(', ')}`)
  .toSorted()

/** That a call obeys its line, authorisation.test.ts says of all; that the line is the one that was meant, nobody could say but whoever wrote it. */
test('who may make each call is what was written down: whoever opens or closes a line says so twice', async () => {
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('policy-recorded.txt')
})
