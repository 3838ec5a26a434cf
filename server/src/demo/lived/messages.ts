import { randomOf } from '../../lib/random.ts'
import type { SmsResult, SmsState } from '../../db/tables.ts'

/** A prepared SMS campaign. */
export type Texted = {
  id: number
  accountId: number
  pricePaisa: number
  startAt: Date
  rows: readonly { no: number; phone: number; operator: number; segments: number }[]
}

/** A row of the table of sent messages, less its id and gateway, and what became of the message. Times in ISO. */
export type PastMessage = {
  claimed_at: string
  settled_at: string
  campaign_id: number
  no: number
  account_id: number
  phone: number
  operator: number
  result: SmsResult
  segments: number
  accepted: number
  cost_paisa: number
  code: string | null
  reason: string | null
  state: SmsState
  final_at: string | null
}

const gapMs = 120
const iso = (at: number): string => new Date(at).toISOString()

/** Every message of a campaign. The same seed gives the same. */
export function messagesOf({ id, accountId, pricePaisa, startAt, rows }: Texted, seed: number): PastMessage[] {
  return rows.map(({ no, phone, operator, segments }, n) => {
    const random = randomOf(seed, `message ${id} ${phone}`)
    const claimedAt = startAt.getTime() + 2000 + n * gapMs
    const settledAt = claimedAt + Math.round(80 + random() * 300)
    const always = { campaign_id: id, no, account_id: accountId, phone, operator, segments, claimed_at: iso(claimedAt) }
    const fate = random()
    if (fate < 0.02) {
      const reason = 'the number is not valid'
      const refused = { result: 'refused', accepted: 0, cost_paisa: 0, code: '11', reason } as const
      return { ...always, ...refused, settled_at: iso(settledAt), state: 'failed', final_at: iso(settledAt) }
    }
    const taken = { result: 'accepted', accepted: segments, cost_paisa: segments * pricePaisa, code: null } as const
    const receiptAt = iso(settledAt + Math.round(1500 + random() * 40_000))
    const sent = { ...always, ...taken, settled_at: iso(settledAt) }
    if (fate < 0.06)
      return { ...sent, state: 'failed', final_at: receiptAt, reason: 'not delivered: absent subscriber' }
    if (fate < 0.08) return { ...sent, state: 'expired', final_at: receiptAt, reason: 'not delivered in time' }
    if (fate < 0.1) return { ...sent, state: 'submitted', final_at: null, reason: null }
    return { ...sent, state: 'delivered', final_at: receiptAt, reason: null }
  })
}
