import { sql } from 'kysely'
import type { EngineDb } from '../../voice/testing/fixtures.ts'
import { insertCallMessages } from '../../modules/sms-campaigns/actions-calls.ts'
import type { CallText } from '../../modules/voice-compose/rules-texts.ts'
import type { Viewer } from '../../policy.ts'

/** Per segment the user pays 150 paisa, the reseller 120, the top reseller 100. */
const segmentPaisa = [150, 120, 100]

type Texts = {
  campaignId: number
  user: Viewer
  texts: readonly Omit<CallText, 'field'>[]
  /** Per text, the same for every row; null: no row gets it. */
  segments: readonly (number | null)[]
}

/** Gives a campaign of calls these texts, as after compose and preparation. Returns the ready campaign of messages. */
export async function callTextsOf(at: Pick<EngineDb, 'db'>, of: Texts): Promise<number> {
  const { campaignId, user, texts, segments } = of
  return at.db.transaction().execute(async (tx) => {
    for (const [no, { occasion, key, minMs, text }] of texts.entries())
      await tx
        .insertInto('call_text')
        .values({ campaign_id: campaignId, no, occasion, key, min_ms: minMs, text })
        .execute()
    const { base_id: baseId } = await tx
      .selectFrom('campaign_detail')
      .select('base_id')
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow()
    const { rows: chain } = await sql<{ level: number; payerId: number; payeeId: number; segmentPaisa: number }>`
      select level, payer_id as "payerId", payee_id as "payeeId", (${segmentPaisa}::bigint[])[level + 1] as "segmentPaisa"
      from campaign_level where campaign_id = ${campaignId} order by level`.execute(tx)
    const sender = { senderId: 0, name: 'GHANTI', operators: [0, 1, 2, 3] }
    const startAt = new Date(Date.now() - 1000)
    const calls = { campaignId, ownerId: user.userId, name: `Calls ${campaignId}`, baseId, startAt, texts }
    await insertCallMessages(tx, { ...calls, dialUntil: new Date(Date.now() + 24 * 3600_000) }, { sender, chain })
    await tx.updateTable('sms_campaign_detail').set({ sender_id: null }).where('sender_id', '=', 0).execute()
    await sql`insert into call_text_row (campaign_id, no, operator, segments)
      select ${campaignId}, no, 1, ${[...segments]}::smallint[] from campaign_contact where campaign_id = ${campaignId}`.execute(
      tx,
    )
    const dearest = (occasion: string): number =>
      Math.max(0, ...texts.map((text, no) => (text.occasion === occasion ? (segments[no] ?? 0) : 0)))
    const most = Math.max(dearest('fail'), dearest('success') + dearest('dtmf'))
    await tx
      .updateTable('campaign')
      .set({ message_paisa: 150 * most })
      .where('id', '=', campaignId)
      .execute()
    const { id } = await tx
      .selectFrom('sms_campaign')
      .select('id')
      .where('call_campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow()
    return id
  })
}
