import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../clock.ts'
import { localFiles } from '../drivers/files/local.ts'
import { espeakTts } from '../drivers/tts/espeak.ts'
import { callTextsOf } from '../sms-engine/testing-calls.ts'
import { prepareCampaign, type PrepareDeps } from './prepare.ts'
import { newCampaign, newWorld } from './testing.ts'
import { engineDb } from './testing-db.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-prepare-texts-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const at = await engineDb()
const world = await newWorld(at)
const files = localFiles(folder)
const tts = espeakTts()
afterAll(() => tts.close())
const speech = { db: at.db, files, tts }
const deps: PrepareDeps = { pool: at.engine, files, speech, clock: systemClock, log: pino({ level: 'silent' }) }

test('what rows may be sent after their calls is stored rows and bytes of the campaign', async () => {
  const { user, line, lease } = world
  const text = { occasion: 'success', key: null, minMs: 0, text: 'Thanks' } as const
  const stored = async (withTexts: boolean) => {
    const id = await newCampaign(at, { user, line, phones: [], status: 'processing' })
    if (withTexts) await callTextsOf(at, { campaignId: id, user, texts: [text], segments: [1] })
    const hash = await files.putBytes(Buffer.from('mobile\n9841000001\n9801000002\n015970001\n'))
    await at.pool.query(
      'update base set file_hash = $2 from campaign_detail d where d.base_id = base.id and d.campaign_id = $1',
      [id, hash],
    )
    await prepareCampaign(deps, lease, id, new AbortController().signal)
    return at.db
      .selectFrom('campaign_progress')
      .select(['stored_rows', 'text_rows', 'stored_bytes'])
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
  }
  const bare = await stored(false)
  expect(bare).toMatchObject({ stored_rows: 3, text_rows: 0 })
  const texts = await stored(true)
  expect(texts).toMatchObject({ stored_rows: 3, text_rows: 3 })
  expect(texts.stored_bytes - bare.stored_bytes).toBeGreaterThan(3 * 30)
})
