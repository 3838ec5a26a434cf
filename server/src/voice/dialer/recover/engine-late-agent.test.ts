import { expect, test } from 'vitest'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { polling } from '../../../testing/timeouts.ts'
import { agentChannel } from '../../../dispatch/channel-names.ts'
import { dialling, instead } from '../../testing/engine.ts'
import { expectSoundFiles, newCampaign, newFixtures } from '../../testing/fixtures.ts'
import { trunkName } from '../../model/calls/trunk-data.ts'

const at = await dialling({ speed: 20, timeScale: 0.001 })
/** Speaks and hangs up after 10 s. */
const agent = { number: '+9779801111137', key: '1' as const }
/** Listens to everything. */
const phone = 9779800000050

test('an agent whom an engine rang as it died, and who answers when the next one has the call, is paid for', async () => {
  const fixtures = await newFixtures(at, {})
  const { user, line } = fixtures
  const flow = at.flow(2, { agents: [agent], menuWaitSeconds: 30, rePrompts: 3 })
  const id = await newCampaign(at, { user, line, phones: [phone], flow, reservePaisa: 2000, retries: 0 })
  const first = at.start()
  const answered = () => at.db.selectFrom('attempt_step').select('attempt_id').execute()
  await expect.poll(answered, polling).toHaveLength(1)
  await first.stop({ drainMs: 0 })

  const lines: DialerConnection[] = []
  const remember = instead(at.simulator, (connection) => {
    lines.push(connection)
    return {}
  })
  const second = at.start({ engineId: 'second', telephony: [remember] })
  await at.tick(() => true)
  await at.tick(() => true)
  const [customer] = (await lines[0]?.live()) ?? []
  if (!customer) throw new Error('the call is over already')
  const channelId = agentChannel(customer.channelId, 1, 1)
  // The request that the first engine sent arrives only now.
  const trunk = trunkName(line.trunkId)
  const times = { ringMs: 30_000, talkMsMax: 60_000, deadlineMs: 1000 }
  await lines[0]?.dial({ channelId, trunk, cli: '015970001', number: agent.number, ...times })
  await at.status(id, 'complete')

  const [call] = await at.db.selectFrom('attempt').selectAll().where('campaign_id', '=', id).execute()
  const record = (await lines[0]?.readRecord((call?.claimed_at.getTime() ?? 0) - 1000))?.channels.get(channelId)
  const talkedMs = (record?.endedAt ?? 0) - (record?.answeredAt ?? Number.NaN)
  expect(talkedMs).toBeGreaterThan(0)
  expect(call).toMatchObject({ disposition: 'ANSWER', patch_bill_ms: talkedMs, uncollected_paisa: 0 })
  await expectSoundFiles(at)
  await second.stop({ drainMs: 0 })
})
