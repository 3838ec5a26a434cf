import { afterAll, expect, inject, test } from 'vitest'
import type { DialerAddress } from '../../driver.ts'
import { AriHttp } from './http.ts'
import { asteriskDialer, openBench } from '../testing.ts'
import { Proxy } from '../../../../testing/proxy.ts'

const app = 'owned'
const mine = { installation: 'a1b2c3', dialerId: 7, name: 'Dialer / १' }
const alike = { ...mine, dialerId: 8, name: 'Another name' }
const stranger = { ...mine, installation: 'd4e5f6' }
const localhost = { host: 'localhost' }
const opened: { close(): Promise<void> }[] = []
const beside = new AriHttp(asteriskDialer('/nowhere'))
const mark = (value: string) => beside.ari('POST', '/asterisk/variable', { query: { variable: 'OWNED_OWNER', value } })
afterAll(async () => {
  for (const one of opened) await one.close()
  await mark('')
  beside.cut()
})

async function connect(other: Partial<DialerAddress>) {
  const suite = await openBench(app, other)
  opened.push({
    async close() {
      await suite.connection.close()
      await suite.fixture.close()
    },
  })
  return suite
}

test('a machine that is a dialer already is refused in words to another row and another installation, and its call continues', async () => {
  expect(inject('asterisk').dialer.host).toBe('127.0.0.1')
  const first = await connect({ owner: mine })
  const talks = await first.answeredCall('99', { talkMsMax: 60_000 })
  await expect(connect({ ...localhost, owner: alike })).rejects.toThrow(
    /^this machine is already dialer Dialer \/ १ of this installation, under another address/,
  )
  await expect(connect({ ...localhost, owner: stranger })).rejects.toThrow(
    /^this machine belongs to another installation; docs\/operating\.md/,
  )
  expect(await first.connection.live()).toContainEqual({ channelId: talks, state: 'up' })

  await first.connection.close() // its call is up, so the owner stays
  await expect(connect({ owner: alike })).rejects.toThrow(/is already dialer/)
  const again = await connect({ ...localhost, owner: { ...mine, name: 'New name' } })
  expect(await again.connection.hangUp(talks)).toBe('done')
  await again.events.next('hungUp', talks)
  await mark('') // as docs/operating/dialers-and-trunks.md#several-dialers says
  await (await connect({ owner: stranger })).connection.close()
})

test('of two that connect at the same moment, one becomes the owner and the other is refused', async () => {
  for (let time = 0; time < 5; time++) {
    const both = await Promise.allSettled([connect({ owner: mine }), connect({ owner: stranger })])
    const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(refused).toEqual([expect.stringMatching(/this machine belongs to another installation/)])
    for (const one of both) if (one.status === 'fulfilled') await one.value.connection.close()
  }
})

test('a client that was away while another took the machine is replaced, and does not come back', async () => {
  await mark('') // its last owner may have closed while its claim was still ending, and then the mark stays
  const proxy = await Proxy.to(inject('asterisk').dialer)
  const first = await connect({ owner: mine, port: proxy.port })
  proxy.cut()
  await first.events.until((event) => event.type === 'lost')
  await mark('') // as docs/operating/dialers-and-trunks.md#several-dialers says
  const second = await connect({ owner: stranger })
  proxy.mend()
  await first.events.until((event) => event.type === 'replaced')
  expect(await first.connection.dial(first.requestTo('99'))).toMatchObject({ outcome: 'notSent' })
  const talks = await second.answeredCall('99')
  expect(await second.connection.hangUp(talks)).toBe('done')
  await second.connection.close()
  await proxy.close()
})
