/** Receipts that nobody could read: counted, shown with their last samples, and alerted to. */
import { expect, onTestFinished, test } from 'vitest'
import type { AlertRow } from '@ghanti/contract/alerts.ts'
import type { GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
import { OddCentre } from '../../drivers/sms/smpp/testing-odd-centre.ts'
import { GatewaySending } from '../testing/gateways.ts'

const sending = await GatewaySending.open()

async function centre(): Promise<{ odd: OddCentre; gatewayId: number }> {
  const odd = await OddCentre.listen(0)
  onTestFinished(() => odd.peer.close())
  const { host, port } = odd.peer
  const gatewayId = await sending.gateway({ driver: 'smpp', host, port, systemId: 'ghanti', password: 'secret' })
  await expect.poll(() => odd.peer.binds).toBe(1)
  return { odd, gatewayId }
}

const stored = (gatewayId: number) =>
  sending.app.db.selectFrom('sms_not_understood').selectAll().where('gateway_id', '=', gatewayId).executeTakeFirst()
const alerts = async (gatewayId: number) =>
  (await sending.asked(sending.boss, '/api/obd/alerts?state=all'))
    .json<AlertRow[]>()
    .filter(({ kind, subject }) => kind === 'receipts_unread' && subject === `gateway ${gatewayId}`)
const receipts = (gatewayId: number, count: number) =>
  sending.app.pool.query(
    'insert into sms_gateway_count (gateway_id, receipts) values ($1, $2) on conflict (gateway_id) do update set receipts = $2',
    [gatewayId, count],
  )
const wrong = (n: number) => ({ text: `receipt ${n} to 9779841000001 stat:WHATEVER` })

test('of receipts that nobody understands all are counted and the last ten shown, without numbers', async () => {
  const { odd, gatewayId } = await centre()
  for (let n = 1; n <= 25; n += 1) odd.deliver('9779841000001', 'GHANTI', wrong(n))
  await expect.poll(async () => (await stored(gatewayId))?.receipts).toBe(25)
  const said = await sending.asked(sending.boss, `/app/sms/gateway/${gatewayId}`)
  const texts = Array.from({ length: 10 }, (_, n) => `receipt ${25 - n} to 97xxxxxxxxx01 stat:WHATEVER`)
  expect(said.json<GatewayDetail>().receipts).toEqual({
    applied: 0,
    repeated: 0,
    unmatched: 0,
    notUnderstood: 25,
    samples: texts.map((text) => ({ time: expect.stringMatching(/^\d{4}-\d\d-\d\d /), text })),
  })
  expect(odd.peer.received.filter(({ status }) => status !== 0)).toEqual([])
})

test('an alert comes at more than one in a hundred of the recent receipts, and goes when fewer are left', async () => {
  const { odd, gatewayId } = await centre()
  await receipts(gatewayId, 5_000_000)
  for (let n = 1; n <= 10; n += 1) odd.deliver('9779841000001', 'GHANTI', wrong(n))
  await expect.poll(async () => (await stored(gatewayId))?.receipts).toBe(10)
  const { gatewayId: other, odd: otherOdd } = await centre()
  otherOdd.deliver('9779841000001', 'GHANTI', wrong(1))
  await expect.poll(async () => (await alerts(other)).length).toBe(1) // so the first gateway was judged, too
  expect(await alerts(gatewayId)).toEqual([])
  odd.deliver('9779841000001', 'GHANTI', wrong(11))
  await expect
    .poll(() => alerts(gatewayId))
    .toMatchObject([
      {
        detail: expect.stringMatching(/^Gateway \d+: 11 of its last 1011 receipts could not be read$/),
        clearedAt: null,
      },
    ])
  await receipts(gatewayId, 5_000_200)
  await expect.poll(() => alerts(gatewayId)).toMatchObject([{ clearedAt: expect.any(String) }])
  await receipts(gatewayId, 5_010_000)
  await expect.poll(async () => (await stored(gatewayId))?.recent).toBeLessThan(6)
})
