import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { polling } from '../../../../testing/timeouts.ts'
import type { Suite } from '../../suite-bench.ts'
import { newNumber, openBench } from '../testing.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openBench('siplog')
})
afterAll(() => suite.connection.close())

async function logs(): Promise<number> {
  const { host, port, user, secret } = inject('asterisk').dialer
  const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
  const reply = await fetch(`http://${host}:${port}/ari/asterisk/logging`, { headers: { authorization } })
  return (await reply.text()).split('witness/sip-siplog-').length - 1
}

test('a busy dialer logs no SIP messages, except of a test call', async () => {
  expect(await logs()).toBe(1)
  await suite.connection.takeTraces([])
  const unlogged = await Promise.all(Array.from({ length: 60 }, () => suite.call('47', { number: newNumber('47') })))
  await suite.connection.takeTraces([])
  expect(await logs()).toBe(0)
  const traced = await suite.call('47', { number: newNumber('47'), isTraced: true })
  expect(await logs()).toBe(1)
  await suite.events.next('hungUp', traced)
  await sleep(1000)
  const found = async () => (await suite.connection.takeTraces([traced])).map(({ channelId }) => channelId)
  await expect.poll(found, polling).toEqual([traced])
  for (const channelId of unlogged) await suite.events.next('hungUp', channelId)
})
