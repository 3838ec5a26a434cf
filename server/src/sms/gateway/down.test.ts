import { expect, test } from 'vitest'
import { testClock } from '../../testing/app.ts'
import { newSuperAdmin } from '../../testing/seed.ts'
import { smsSending } from '../testing/engine.ts'
import { newGateway } from '../testing/fixtures.ts'

const timeScale = 0.005
/** After this long without a connection a gateway is down. */
const unboundMs = 60_000 * timeScale
const at = await smsSending({ speed: 200, timeScale })

test('a gateway that nobody can connect with raises one alert and tells every super admin, until it is connected or put away', async () => {
  const boss = await newSuperAdmin(at)
  const gatewayId = await newGateway(at, { fault: 'unreachable' })
  const clock = testClock() // by hand: on a busy machine a gateway may take longer to connect than it may be without a connection
  clock.set(new Date())
  const engine = at.start({ clock })
  const alerts = () =>
    at.db
      .selectFrom('alert')
      .select(['kind', 'detail', 'cleared_at'])
      .where('subject', '=', `gateway ${gatewayId}`)
      .orderBy('id')
      .execute()
  const notices = () =>
    at.db.selectFrom('notice').select(['user_id', 'reason']).where('kind', '=', 'gatewayDown').execute()
  const state = () =>
    at.db.selectFrom('sms_gateway_state').select(['bound', 'last_error', 'seen_at']).executeTakeFirst()
  const hasKept = (error: string, since?: Date) =>
    expect
      .poll(async () => {
        const kept = await state()
        return kept?.seen_at.getTime() === since?.getTime() ? null : kept
      })
      .toMatchObject({ bound: false, last_error: expect.stringContaining(error) })
  const change = (fault: string | null) =>
    at.pool.query(
      `update sms_gateway set settings = settings || jsonb_build_object('fault', $2::text), changed_at = now() where id = $1`,
      [gatewayId, fault],
    )
  const open = { kind: 'gateway_held', detail: expect.stringContaining('it cannot be reached'), cleared_at: null }
  const cleared = { cleared_at: expect.any(Date) }
  await hasKept('it cannot be reached')
  expect(await alerts()).toEqual([])
  clock.advance(unboundMs)
  await expect.poll(alerts).toMatchObject([open])
  expect(await notices()).toMatchObject([
    { user_id: boss.userId, reason: expect.stringContaining('cannot be reached') },
  ])
  await engine.stop() // the next engine finds it down, and tells nobody again
  const stopped = (await state())?.seen_at
  at.start({ engineId: 'next', clock })
  await hasKept('it cannot be reached', stopped)
  clock.advance(unboundMs)
  await hasKept('it cannot be reached', (await state())?.seen_at)
  expect(await alerts()).toMatchObject([open])
  expect(await notices()).toHaveLength(1)
  await change(null)
  await expect.poll(alerts).toMatchObject([cleared])
  await change('refusesLogin')
  await hasKept('password')
  clock.advance(unboundMs)
  await expect.poll(alerts).toMatchObject([{ cleared_at: null }]) // within the hour it is the same alert, open again
  await at.pool.query('update sms_gateway set enabled = false where id = $1', [gatewayId])
  await expect.poll(alerts).toMatchObject([cleared])
})
