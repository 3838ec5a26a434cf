import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { createSimulator } from '../../../drivers/telephony/simulator/simulator.ts'
import { simulatedDialer } from '../../../drivers/telephony/simulator/testing.ts'
import type { Sound } from '../../model/calls/plan.ts'
import { systemClock } from '../../../clock.ts'
import { instead } from '../../testing/engine.ts'
import { SoundCache } from './sound-cache.ts'
import { polling } from '../../../testing/timeouts.ts'

const folder = mkdtempSync(join(tmpdir(), 'ghanti-sounds-'))
const simulator = createSimulator({ recordFolder: folder })
afterAll(() => {
  simulator.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a thousand campaigns after a restart: each sound is asked for once, two hundred at once, prompts first', async () => {
  const batches: string[][] = []
  let atOnce = 0
  let most = 0
  const driver = instead(simulator, () => ({
    prefetch: async (media) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      batches.push(media.map(({ hash }) => hash))
      await new Promise(setImmediate)
      atOnce -= 1
      return { failed: [] }
    },
  }))
  const connection = await driver.connect(simulatedDialer())
  const dialer = {
    log: pino({ level: 'silent' }),
    connection: () => connection,
    clock: systemClock,
    timeScale: () => 1,
  }
  const soundCache = new SoundCache(dialer, async () => 'Dashain')
  const sound = (of: number | string): Sound => ({ hash: `hash${of}`, path: folder, durationMs: 1000, of })
  const spoken = Array.from({ length: 500 }, (_, n) => sound(`value ${n}`))
  expect(soundCache.of(spoken)).toBe('pending')
  const campaigns = Array.from({ length: 1000 }, (_, n) => [sound(n % 100), sound(100 + (n % 10)), sound(110)])
  expect(campaigns.map((sounds) => soundCache.of(sounds))).toEqual(campaigns.map(() => 'pending'))
  const all = [...campaigns, spoken]
  await vi.waitFor(() => expect(all.every((sounds) => soundCache.of(sounds) === 'ready')).toBe(true), polling)
  expect(batches.flat()).toHaveLength(611)
  expect(new Set(batches.flat()).size).toBe(611)
  expect(batches.map((batch) => batch.length)).toEqual([200, 111, 200, 100])
  expect(batches[1]?.every((hash) => /^hash\d+$/.test(hash))).toBe(true)
  expect(most).toBe(1)
})
