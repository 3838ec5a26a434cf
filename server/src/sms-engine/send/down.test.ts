import { expect, test } from 'vitest'
import { newSuperAdmin } from '../../testing/seed.ts'
import { smsSending } from '../testing/engine.ts'
import { newGateway } from '../testing/fixtures.ts'

const at = await smsSending({ speed: 200, timeScale: 0.005 }) // a minute is 0.3 s

test('a gateway that nobody can connect with raises one alert and tells every super admin, until it is connected or put away', async () => {
  const boss = await newSuperAdmin(at)
  const gatewayId = await newGateway(at, { fault: 'unreachable' })
  const engine = at.start()
  const alerts = () =>
    at.db
      .selectFrom('alert')
      .select(['kind', 'detail', 'cleared_at'])
      .where('subject', '=', `gateway ${gatewayId}`)
      .orderBy('id')
      .execute()
  const notices = () =>
    at.db.selectFrom('notice').select(['user_id', 'reason']).where('kind', '=', 'gatewayDown').execute()
  const change = (fault: string | null) =>
    at.pool.query(
      `update sms_gateway set settings = settings || jsonb_build_object('fault', $2::text), changed_at = now() where id = $1`,
      [gatewayId, fault],
    )
  const open = { kind: 'gateway_held', detail: expect.stringContaining('it cannot be reached'), cleared_at: null }
  const cleared = { cleared_at: expect.any(Date) }
  await expect.poll(alerts, { timeout: 10_000 }).toMatchObject([open])
  expect(await notices()).toMatchObject([
    { user_id: boss.userId, reason: expect.stringContaining('cannot be reached') },
  ])
  await engine.stop() // the next engine finds it down, and tells nobody again
  at.start({ engineId: 'next' })
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(await alerts()).toMatchObject([open])
  await change(null)
  await expect.poll(alerts, { timeout: 10_000 }).toMatchObject([cleared])
  await change('refusesLogin')
  await expect.poll(alerts, { timeout: 10_000 }).toMatchObject([cleared, { cleared_at: null }])
  await at.pool.query('update sms_gateway set enabled = false where id = $1', [gatewayId])
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await alerts()).toMatchObject([cleared, cleared])
})
