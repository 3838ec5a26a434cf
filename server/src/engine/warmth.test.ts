import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { createSimulator } from '../drivers/telephony/simulator/simulator.ts'
import { simulatedDialer } from '../drivers/telephony/simulator/testing.ts'
import type { Sound } from './plan.ts'
import { instead } from './testing-engine.ts'
import { Warmth } from './warmth.ts'

const folder = mkdtempSync(join(tmpdir(), 'ghanti-warmth-'))
const simulator = createSimulator({ recordFolder: folder })
afterAll(() => {
  simulator.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a thousand campaigns after a restart: each sound is asked for once, a few at once, and of the running campaigns only', async () => {
  const batches: string[][] = []
  let atOnce = 0
  let most = 0
  const driver = instead(simulator, () => ({
    warm: async (media) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      batches.push(media.map(({ hash }) => hash))
      await new Promise(setImmediate)
      atOnce -= 1
      return { failed: [] }
    },
  }))
  const line = await driver.connect(simulatedDialer())
  const warmth = new Warmth({
    log: pino({ level: 'silent' }),
    line: () => line,
    promptName: async () => 'Dashain',
    now: () => new Date(),
    timeScale: () => 1,
  })
  const sound = (n: number): Sound => ({ hash: `hash${n}`, path: folder, durationMs: 1000, of: n })
  const campaigns = Array.from({ length: 1000 }, (_, n) => [sound(n % 100), sound(100 + (n % 10)), sound(110)])
  expect(campaigns.map((sounds) => warmth.of(sounds))).toEqual(campaigns.map(() => 'coming'))
  await vi.waitFor(() => expect(campaigns.every((sounds) => warmth.of(sounds) === 'there')).toBe(true))
  expect(batches.flat()).toHaveLength(111)
  expect(new Set(batches.flat()).size).toBe(111)
  expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(8)
  expect(most).toBe(1)
})
