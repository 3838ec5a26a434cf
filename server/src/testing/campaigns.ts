import { randomUUID } from 'node:crypto'
import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { Db } from '../db/db.ts'
import type { PromptCategory, PromptStatus } from '../db/tables.ts'
import type { Viewer } from '../policy.ts'
import { newLine } from './seed.ts'

type HasDb = { db: Db }

/** A voice file without its sound, approved unless said otherwise. */
export async function newPrompt(
  app: HasDb,
  owner: Viewer,
  prompt: { name?: string; durationMs?: number; status?: PromptStatus; category?: PromptCategory } = {},
): Promise<number> {
  const hash = randomUUID()
  const { id } = await app.db
    .insertInto('prompt')
    .values({
      owner_id: owner.userId,
      name: prompt.name ?? `Prompt ${hash}`,
      category: prompt.category ?? 'welcome',
      status: prompt.status ?? 'approved',
      account_type: 'promotional',
      wav_hash: hash,
      original_hash: hash,
      duration_ms: prompt.durationMs ?? 10_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A stored contact file without its bytes. */
export async function newBase(app: HasDb, owner: Viewer, columns: string[] = ['mobile']): Promise<number> {
  const name = `Base ${randomUUID()}`
  const { id } = await app.db
    .insertInto('base')
    .values({ owner_id: owner.userId, name, file_hash: name, size_bytes: 11, rows: 1, dialable: 1, columns })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A campaign with `rows` fresh rows as it stands in some status, without what compose checks. It has no engine. */
export async function newCampaign(
  app: HasDb,
  owner: Viewer,
  {
    status = 'running',
    rows = 0,
    name = `Campaign ${randomUUID()}`,
    ...over
  }: { status?: CampaignStatus; rows?: number; name?: string; line?: Awaited<ReturnType<typeof newLine>> } = {},
): Promise<number> {
  const line = over.line ?? (await newLine(app, { holders: [owner] }))
  const baseId = await newBase(app, owner)
  return app.db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('campaign')
      .values({
        account_id: owner.userId,
        dialer_id: line.dialerId,
        trunk_id: line.trunkId,
        cli_id: line.cliId,
        status,
        start_at: new Date(),
        dial_until: new Date(Date.now() + 7 * 24 * 3600_000),
        channels: 30,
        reserve_paisa: 50,
        retries: 2,
        retry_ms: 600_000,
        uploaded: rows,
        fresh_end: rows,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const detail = { campaign_id: id, name, template_id: 0, base_id: baseId, flow: '{}', composed: '{}' }
    await tx
      .insertInto('campaign_detail')
      .values({ ...detail, retry_interval_minutes: 10 })
      .execute()
    await tx.insertInto('campaign_count').values({ campaign_id: id, slot: 0, fresh: rows }).execute()
    const counts = { uploaded: rows, fresh: rows, pending: rows }
    await tx
      .insertInto('campaign_progress')
      .values({
        campaign_id: id,
        account_id: owner.userId,
        name,
        template_id: 0,
        status,
        start_at: new Date(),
        ...counts,
      })
      .execute()
    const contacts = Array.from({ length: rows }, (_, no) => ({
      campaign_id: id,
      no,
      line: no + 2,
      phone: 9_779_800_000_000 + no,
    }))
    if (contacts.length > 0) await tx.insertInto('campaign_contact').values(contacts).execute()
    return id
  })
}
