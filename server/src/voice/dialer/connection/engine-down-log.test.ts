import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { TelephonyError } from '../../../drivers/telephony/driver.ts'
import { polling } from '../../../testing/timeouts.ts'
import { newFixtures } from '../../testing/fixtures.ts'
import { dialling } from '../../testing/engine.ts'

const at = await dialling({ speed: 50, timeScale: 0.1 })

test('the log says once that a dialer does not answer, however often it is tried, and that it is back', async () => {
  const lines: { msg: string; reason?: string }[] = []
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const said = () => lines.map(({ msg }) => msg).filter((msg) => /the dialer .*answer/.test(msg))
  let tried = 0
  let isThere = false
  const telephony = {
    name: at.simulator.name,
    connect: (...of: Parameters<typeof at.simulator.connect>) => {
      tried += 1
      return isThere ? at.simulator.connect(...of) : Promise.reject(new TelephonyError('no route to it'))
    },
  }
  await newFixtures(at)
  at.start({ telephony: [telephony], log: pino({ level: 'info' }, sink) })
  await vi.waitFor(() => expect(tried).toBeGreaterThanOrEqual(4), polling)
  expect(said()).toEqual(['the dialer does not answer'])
  isThere = true
  await vi.waitFor(() => expect(said()).toEqual(['the dialer does not answer', 'the dialer answers again']), polling)
})
