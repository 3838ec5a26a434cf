/** Receipts of HTTP gateways, from the reply's id to the report that a customer reads. */
import { expect, onTestFinished, test } from 'vitest'
import { httpPresets } from '@ghanti/contract/sms-gateway-presets.ts'
import { TestAggregator } from '../../drivers/sms/http/testing.ts'
import { numbersEnding } from '../../voice/testing/fixtures.ts'
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

test('through Kannel Nepali leaves as Unicode, and its receipts find their messages by our ids', async () => {
  const asked: URL[] = []
  const peer = await TestAggregator.listen(({ url }, response) => {
    asked.push(new URL(url, 'http://kannel'))
    response.writeHead(202).end(asked.length === 1 ? '0: Accepted for delivery' : '3: Queued for later delivery')
  })
  onTestFinished(() => peer.close())
  const kannel = httpPresets.find(({ name }) => name === 'kannel')
  if (!kannel) throw new Error('there is no such preset')
  const { method, query, success, receipt: rules } = kannel
  const url = `http://127.0.0.1:${peer.port}/cgi-bin/sendsms${query}`
  await sending.gateway({ driver: 'http', method, url, success, token: 'k&y', receiptSecret: secret, receipt: rules })
  const nepali = await sending.campaign(numbersEnding(['00'], 1), { text: 'नमस्ते' })
  await expect.poll(() => sending.statuses(nepali)).toEqual(['Submitted'])
  const english = await sending.campaign(numbersEnding(['00'], 1), { text: 'Hello' })
  await expect.poll(() => sending.statuses(english)).toEqual(['Submitted'])
  const said = asked.map(({ searchParams: at }) => [
    at.get('text'),
    at.get('charset'),
    at.get('coding'),
    at.get('password'),
  ])
  expect(said).toEqual([
    ['नमस्ते', 'UTF-8', '2', 'k&y'],
    ['Hello', 'UTF-8', '0', 'k&y'],
  ])
  /** As Kannel does: %d becomes the number of the state. */
  const report = async (n: number, state: string) => {
    const to = new URL((asked[n]?.searchParams.get('dlr-url') ?? '').replace('%d', state))
    expect(to.origin).toBe(sending.app.config.publicUrl)
    return (await sending.http.inject({ url: `${to.pathname}${to.search}` })).body
  }
  expect([await report(0, '8'), await report(0, '1'), await report(1, '16')]).toEqual(['OK', 'OK', 'OK'])
  await expect.poll(() => sending.statuses(nepali)).toEqual(['Delivered'])
  await expect.poll(() => sending.statuses(english)).toEqual(['Failed'])
})

test('a reply that is JSON in JSON, and a batch of receipts with digits beyond 2^53, are read by their rules', async () => {
  const id = (n: number) => `27178102272165478${n}`
  const reply = (n: number) => JSON.stringify({ status: 'ok', d: `{"messages":[{"id":${id(n)}}]}` })
  const gatewayId = await aggregator([reply(1), reply(2), reply(3)], {
    messageId: '$.d.messages[*].id',
    receipt: { ...receipt, id: '$.reports[*].id', status: '$.reports[*].state' },
    window: 1,
  })
  const campaignId = await sending.campaign(numbersEnding(['00'], 3))
  await expect.poll(() => sending.statuses(campaignId)).toEqual(['Submitted', 'Submitted', 'Submitted'])
  const reports = `{"reports":[{"id":${id(1)},"state":"DELIVRD"},{"id":${id(3)},"state":"UNDELIV"},{"id":${id(2)},"state":"UNKNOWN"}]}`
  expect((await report(gatewayId, reports, 'text/plain')).body).toBe('OK')
  await expect
    .poll(async () => (await sending.statuses(campaignId)).toSorted())
    .toEqual(['Delivered', 'Failed', 'Submitted'])
})
