/** Receipts as message centres really send them, from the wire to the report that a customer reads. */
import { expect, onTestFinished, test } from 'vitest'
import type { DeliveryStatus } from '@ghanti/contract/sms-campaigns.ts'
import type { InboxRow } from '@ghanti/contract/sms-inbox.ts'
import { OddCentre } from '../../drivers/sms/smpp/testing-odd-centre.ts'
import { numbersEnding } from '../../voice/testing/fixtures.ts'
import { GatewaySending } from '../testing/gateways.ts'
import { expectSoundBooks } from '../testing/fixtures.ts'

const sending = await GatewaySending.open()
let ids = 70_000_000

async function centre(): Promise<OddCentre & { gatewayId: number }> {
  const odd = await OddCentre.listen((ids += 1000))
  onTestFinished(() => odd.peer.close())
  const { host, port } = odd.peer
  const gatewayId = await sending.gateway({ driver: 'smpp', host, port, systemId: 'ghanti', password: 'secret' })
  return Object.assign(odd, { gatewayId })
}

async function sentTo(suffixes: string[], each = 1) {
  const campaignId = await sending.campaign(numbersEnding(suffixes, each))
  return { campaignId, statuses: () => sending.statuses(campaignId) }
}

const inbox = async () => {
  const said = await sending.asked(sending.boss, `/app/sms/inbox/${sending.boss.userId}`)
  return said.json<InboxRow[]>()
}

const cases: readonly [suffix: string, status: DeliveryStatus, why: string][] = [
  ['10', 'Delivered', 'the text of a receipt without its mark'],
  ['11', 'Delivered', 'DELIVERED in full'],
  ['12', 'Failed', 'UNDELIVERABLE in full'],
  ['13', 'Submitted', 'ACKED is not final'],
  ['14', 'Delivered', 'a line for each field'],
  ['15', 'Delivered', 'UCS-2'],
  ['16', 'Delivered', 'fields that are missing'],
  ['18', 'Delivered', 'leading zeros'],
  ['20', 'Delivered', 'names in capitals, the state in small letters'],
  ['21', 'Delivered', 'blanks after the colons'],
  ['23', 'Delivered', 'data_sm without a text'],
  ['24', 'Delivered', 'semicolons'],
  ['26', 'Delivered', 'a payload'],
  ['30', 'Delivered', 'UNKNOWN, then DELIVRD'],
  ['31', 'Delivered', 'ENROUTE, then DELIVRD'],
  ['32', 'Delivered', 'no mark, and the id as a field'],
  ['33', 'Delivered', 'no mark, and fields alone'],
  ['34', 'Delivered', 'status: for stat:'],
  ['35', 'Failed', 'REJECTED in full'],
  ['40', 'Delivered', 'ASCII that is called UCS-2'],
  ['41', 'Failed', 'no mark, FAILED, and a time of zeros'],
  ['42', 'Delivered', 'a header before the text'],
  ['43', 'Delivered', 'lines of Windows with equals signs'],
  ['44', 'Failed', 'a time with a zone'],
  ['45', 'Expired', 'ACCEPTD, then EXPIRED'],
  ['46', 'Submitted', 'UNKNOWN and nothing more'],
  ['47', 'Delivered', 'no mark, and UCS-2'],
  ['48', 'Submitted', 'a state that there is not'],
  ['49', 'Submitted', 'a sentence'],
]

test('each form of receipt ends its message as it says, and none is taken for something that people wrote', async () => {
  const { peer } = await centre()
  const { statuses } = await sentTo(cases.map(([suffix]) => suffix))
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(cases.map(([, status]) => status))
  expect(await inbox()).toEqual([])
  expect(peer.received.filter(({ status }) => status !== 0)).toEqual([])
  await expectSoundBooks(sending.at)
})

test('a stranger’s forged receipt changes nothing and stands in the inbox, as does one for another gateway or with another id', async () => {
  const odd = await centre()
  const { campaignId, statuses } = await sentTo(['13'], 2)
  await expect.poll(statuses).toEqual(['Submitted', 'Submitted'])
  const [mine, other] = odd.sent
  if (!mine || !other) throw new Error('nothing was sent')
  const forged = (id: string) => `id:${id} sub:001 dlvrd:001 stat:UNDELIV err:001`
  const before = await sending.report(campaignId)
  odd.deliver('9779841999901', 'GHANTI', { esm: 0, text: forged(mine.id) })
  odd.deliver(other.to, 'GHANTI', { esm: 0, text: forged(mine.id) })
  odd.deliver(mine.to, 'GHANTI', { esm: 0, text: forged('77') })
  odd.deliver('9779841999902', 'GHANTI', { esm: 0, id: mine.id, state: 5 })
  odd.deliver('GHANTI', 'GHANTI', { esm: 8, text: forged(mine.id) })
  await expect.poll(async () => (await inbox()).length).toBe(5)
  const { sent } = odd
  await centre() // another gateway, whose sender names a message of the first
  const second = await centre()
  await expect.poll(() => second.peer.binds).toBe(1)
  second.deliver(mine.to, 'GHANTI', { esm: 0, text: forged(mine.id) })
  await expect.poll(async () => (await inbox()).length).toBe(6)
  expect(sent).toHaveLength(2)
  expect(await sending.report(campaignId)).toEqual(before)
})

test('a receipt with the decimal of an id that the answer had in base 16 ends its message, once no answer can bring another one', async () => {
  const odd = await centre()
  const { statuses } = await sentTo(['17', '00'])
  await expect.poll(statuses).toEqual(['Submitted', 'Delivered'])
  const [{ id } = { id: '' }] = odd.sent.filter(({ to }) => to.endsWith('17'))
  expect(id).toMatch(/^5f[0-9a-f]{6}$/)
  const waiting = () => sending.app.db.selectFrom('sms_receipt_early').select('id_key').execute()
  await expect.poll(waiting).toEqual([{ id_key: BigInt(`0x${id}`).toString() }])
  await sending.app.db
    .updateTable('sms_receipt_early')
    .set({ received_at: new Date(Date.now() - 61_000) })
    .execute()
  await expect.poll(statuses).toEqual(['Delivered', 'Delivered'])
})

test('an unmarked receipt that comes before the answer to its message is one all the same', async () => {
  const odd = await centre()
  const before = (await inbox()).length
  const { statuses } = await sentTo(['50'])
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(['Delivered'])
  expect(await inbox()).toHaveLength(before)
  expect(odd.sent).toHaveLength(1)
})

test('a message of which the centre knows nothing is unknown in the end, and Retry neither sends nor charges it again', async () => {
  const odd = await centre()
  const { campaignId, statuses } = await sentTo(['46', '12'])
  await expect.poll(statuses).toEqual(['Submitted', 'Failed'])
  await sending.app.pool.query(
    `update sms_message set submitted_at = now() - interval '73 hours' where campaign_id = $1`,
    [campaignId],
  )
  await sending.app.pool.query(
    `update sms_campaign set receipts_checked_at = now() - interval '1 hour' where id = $1`,
    [campaignId],
  )
  await expect.poll(statuses, { timeout: 30_000 }).toEqual(['Unknown', 'Failed'])
  await expect
    .poll(
      async () =>
        (await sending.asked(sending.user, '/app/sms/campaign/retry', { method: 'POST', payload: { campaignId } }))
          .statusCode,
    )
    .toBe(200)
  await expect.poll(() => odd.sent.length).toBe(3)
  await expect.poll(statuses).toEqual(['Unknown', 'Failed'])
  expect(odd.sent.map(({ to }) => to.slice(-2)).toSorted()).toEqual(['12', '12', '46'])
  await expectSoundBooks(sending.at)
})

test('no message is delivered before it was submitted, whatever the centre’s clock says', async () => {
  await centre()
  const { campaignId, statuses } = await sentTo(['00', '44', '41'])
  await expect.poll(statuses).toEqual(['Delivered', 'Failed', 'Failed'])
  for (const { submitTime, deliveryTime } of await sending.report(campaignId))
    expect(Date.parse(deliveryTime ?? '')).toBeGreaterThanOrEqual(Date.parse(submitTime ?? ''))
})
