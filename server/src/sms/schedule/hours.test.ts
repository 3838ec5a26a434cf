/** The messaging hours, by a clock of the test's own. */
import { expect, test } from 'vitest'
import { changeSetting } from '../../modules/platform/actions.ts'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import { numbersEnding } from '../../voice/testing/fixtures.ts'
import { takeover } from '../model/lease.sql.ts'
import { simulated, smsSending } from '../testing/engine.ts'
import { newSmsCampaign, newSmsFixtures, smsCounts } from '../testing/fixtures.ts'

const at = await smsSending({ speed: 200, timeScale: 0.005 })
const { user } = await newSmsFixtures(at, { leased: false })
await at.db
  .transaction()
  .execute((tx) => changeSetting(tx, 'smsHours', { ...defaultCallingHours, from: '10:00', to: '18:00' }, null))
/** Nepal's time of a Monday. */
const nepal = (time: string) => new Date(`2026-11-23T${time}+05:45`)

/** What was handed to the gateway waits for this before it is sent. */
let turn = Promise.resolve()

test('nothing is claimed outside the hours, though nobody has held the campaign yet', async () => {
  await takeover(at.engine, 0, 'somebody whose tick never comes', 3600_000)
  let now = nepal('09:59:58')
  at.start({
    clock: { now: () => now },
    drivers: {
      simulator: simulated(200, (gateway) => ({
        get state() {
          return gateway.state
        },
        close: () => gateway.close(),
        submit: (message) => turn.then(() => gateway.submit(message)),
      })),
    },
  })
  const campaignId = await newSmsCampaign(at, { user, phones: numbersEnding(['20'], 30) })
  const bound = () => at.db.selectFrom('sms_gateway_state').select('bound').executeTakeFirst()
  await expect.poll(bound).toEqual({ bound: true })
  await new Promise((resolve) => setTimeout(resolve, 1200)) // some of its ticks
  expect(await smsCounts(at, campaignId)).toEqual({ fresh: 30 })
  now = nepal('10:00:00')
  await expect.poll(() => smsCounts(at, campaignId), { timeout: 10_000 }).toMatchObject({ accepted: 30 })

  now = nepal('17:59:30') // claimed in time, and its turn comes too late
  const waits = Promise.withResolvers<void>()
  turn = waits.promise
  const slow = await newSmsCampaign(at, { user, phones: numbersEnding(['22'], 5) })
  await expect.poll(() => smsCounts(at, slow)).toMatchObject({ in_flight: 5 })
  now = nepal('18:00:00')
  waits.resolve()
  await expect.poll(() => smsCounts(at, slow)).toEqual({ fresh: 5 })

  now = nepal('17:59:59.500') // what is claimed now may leave a moment later
  const late = await newSmsCampaign(at, { user, phones: numbersEnding(['21'], 5) })
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(await smsCounts(at, late)).toEqual({ fresh: 5 })
  const { status } = await at.db
    .selectFrom('sms_campaign')
    .select('status')
    .where('id', '=', late)
    .executeTakeFirstOrThrow()
  expect(status).toBe('running')
})
