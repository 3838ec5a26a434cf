import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Suite } from '../suite-bench.ts'
import { openBench } from './testing.ts'
import { Proxy } from '../../../testing/proxy.ts'

let proxy: Proxy
let suite: Suite
beforeAll(async () => {
  proxy = await Proxy.to(inject('asterisk').dialer)
  suite = await openBench('requests', { port: proxy.port })
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
  await proxy.close()
})

test('a call that hears a prompt costs the dialer three requests: it rings, it plays, it hangs up', async () => {
  const from = proxy.requests.length
  const channelId = await suite.answeredCall('46')
  const [one] = suite.fixture.media
  expect(await suite.connection.play(channelId, `${channelId}-1`, [one])).toBe('done')
  await suite.events.next('playbackEnded', channelId)
  await suite.connection.hangUp(channelId)
  const end = await suite.events.next('hungUp', channelId)
  expect(end).toMatchObject({ endedBy: 'hangUp' })
  // Each five seconds it is seen to that the channel is there that watches for the product.
  const asked = proxy.requests.slice(from).filter((request) => /\/channels(?!\/\S+-watch)/.test(request))
  expect(asked).toEqual([
    'POST /ari/channels',
    `POST /ari/channels/${channelId}/play/${channelId}-1`,
    `DELETE /ari/channels/${channelId}`,
  ])
})
