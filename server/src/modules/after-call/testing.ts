import type { ServerResponse } from 'node:http'
import { TestAggregator } from '../../drivers/sms/http/testing.ts'
import type { SmsOccasion } from '@ghanti/contract/after-call.ts'
import type { Db } from '../../db/db.ts'
import type { Viewer } from '../../policy.ts'
import { seal } from '../../lib/secrets.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { addressPurpose } from './rules.ts'

type App = { db: Db; config: { secret: Buffer } }

/** Counts requests; answers 200 unless told otherwise. */
export function testService(answer: (response: ServerResponse) => void = (response) => void response.end('OK')) {
  return TestAggregator.listen((_asked, response) => answer(response))
}

export async function newDue(
  app: App,
  owner: Viewer,
  { address, rows, occasion = 'success' }: { address: string; rows: number; occasion?: SmsOccasion },
): Promise<number> {
  const campaignId = await newCampaign(app, owner, { rows })
  const { host } = new URL(address)
  const sealed = seal(app.config.secret, addressPurpose, address)
  await app.db
    .insertInto('after_call_option')
    .values({ campaign_id: campaignId, occasion, host, address_sealed: sealed })
    .execute()
  await dueOf(app, owner, { campaignId, host, rows, occasion })
  return campaignId
}

async function dueOf(
  app: App,
  owner: Viewer,
  { campaignId, host, rows, occasion }: { campaignId: number; host: string; rows: number; occasion: SmsOccasion },
): Promise<void> {
  const each = Array.from({ length: rows }, (_, no) => no)
  const due = { campaign_id: campaignId, occasion, account_id: owner.userId, host }
  await app.db
    .insertInto('after_call_message')
    .values(each.map((no) => ({ ...due, no, attempt_id: campaignId * 1000 + no })))
    .execute()
  await app.db
    .insertInto('after_call_count')
    .values({ campaign_id: campaignId, slot: 1, occasion, booked: rows })
    .execute()
}
