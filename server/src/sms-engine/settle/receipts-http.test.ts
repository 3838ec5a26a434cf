/** Receipts of HTTP gateways, from the reply's id to the report that a customer reads. */
import { expect, onTestFinished, test } from 'vitest'
import { TestAggregator } from '../../drivers/sms/http/testing.ts'
import { numbersEnding } from '../../engine/testing/fixtures.ts'
import { GatewaySending } from '../testing/gateways.ts'

const sending = await GatewaySending.open()
const secret = 'sixteen letters & more'
const receipt = { id: 'id', status: 'status', delivered: ['DELIVRD'], failed: ['UNDELIV'] }

/** Answers each message with the next of these texts. */
async function aggregator(replies: string[], settings: object = {}): Promise<number> {
  const peer = await TestAggregator.listen((_asked, response) => void response.end(replies.shift() ?? '{}'))
  onTestFinished(() => peer.close())
  return sending.gateway({
    driver: 'http',
    url: `http://127.0.0.1:${peer.port}/?to={to}&text={text}`,
    method: 'GET',
    success: '$.status = ok',
    messageId: '$.id',
    receiptSecret: secret,
    receipt,
    ...settings,
  })
}

const report = (gatewayId: number, payload: string, type = 'application/json') =>
  sending.http.inject({
    method: 'POST',
    url: `/app/sms/callback/${gatewayId}?${String(new URLSearchParams({ secret }))}`,
    headers: { 'content-type': type },
    payload,
  })

test.each([
  ['271781022721654785', '271781022721654786', 'numbers that are the same to JavaScript'],
  ['9007199254740992', '9007199254740993', 'numbers around 2^53'],
  ['18446744073709551614', '18446744073709551615', 'numbers of 64 bits'],
  ['2.71781022721654787e17', '2.71781022721654788e17', 'numbers with an exponent'],
  ['"00271781022721654790"', '"00271781022721654791"', 'texts'],
])('a receipt for %s is not one for %s: %s', async (first, second) => {
  const gatewayId = await aggregator([`{"status":"ok","id":${first}}`, `{"status":"ok","id":${second}}`], { window: 1 })
  const campaignId = await sending.campaign(numbersEnding(['00'], 2))
  await expect.poll(() => sending.statuses(campaignId)).toEqual(['Submitted', 'Submitted'])
  expect((await report(gatewayId, `{"id":${second},"status":"DELIVRD"}`)).statusCode).toBe(200)
  await expect.poll(() => sending.statuses(campaignId)).toContain('Delivered')
  const keys = await sending.app.db
    .selectFrom('sms_segment_id')
    .select(['id_key', 'state'])
    .where('campaign_id', '=', campaignId)
    .orderBy('id_key')
    .execute()
  expect(keys.map(({ state }) => state)).toEqual([null, 'delivered'])
  expect((await sending.statuses(campaignId)).toSorted()).toEqual(['Delivered', 'Submitted'])
})
