import { afterAll, expect, inject, test } from 'vitest'
import type { DialerAddress } from '../driver.ts'
import { AriHttp } from './http.ts'
import { asteriskDialer, openBench } from './testing.ts'

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

test('a machine that is a dialer already is refused in words to another row and another installation, and its call goes on', async () => {
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

  await first.connection.close() // its call is up: it stays whose it is
  await expect(connect({ owner: alike })).rejects.toThrow(/is already dialer/)
  const again = await connect({ ...localhost, owner: { ...mine, name: 'New name' } })
  expect(await again.connection.hangUp(talks)).toBe('done')
  await again.ear.next('hungUp', talks)
  await mark('') // as docs/operating.md says
  await (await connect({ owner: stranger })).connection.close()
})
