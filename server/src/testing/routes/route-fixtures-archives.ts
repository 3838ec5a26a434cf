import { gzipSync } from 'node:zlib'
import type { Viewer } from '../../policy.ts'
import type { TestApp } from '../app.ts'
import * as messages from './route-fixtures-messages.ts'
import * as fixtures from './route-fixtures.ts'

let serial = 1000

/** An archive file with one row of the campaign, whose partition was dropped. */
export async function newArchive(
  app: TestApp,
  parent: 'attempt' | 'sms_sent',
  campaignId: number,
  owner: Viewer,
): Promise<number> {
  const [header, row] = [gzipSync('id,no\n'), gzipSync('1,2\n')]
  const file_hash = await app.files.putBytes(Buffer.concat([header, row]))
  const at = new Date('2026-01-02T00:00:00Z')
  const { id } = await app.db
    .insertInto('archive')
    .values({
      parent,
      no: ++serial,
      first_id: 0,
      end_id: 1,
      first_at: at,
      last_at: at,
      rows: 1,
      cost_paisa: 0,
      columns: 'id,no',
      header_bytes: header.length,
      file_hash,
      bytes: header.length + row.length,
      begun_at: at,
      made_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const part = { archive_id: id, campaign_id: campaignId, account_id: owner.userId, rows: 1 }
  await app.db
    .insertInto('archive_part')
    .values({ ...part, start_byte: header.length, bytes: row.length })
    .execute()
  return id
}

const withArchive = (campaign: fixtures.RouteFixture, parent: 'attempt' | 'sms_sent'): fixtures.RouteFixture => ({
  ...campaign,
  async make(app, owner, viewer) {
    const campaignId = Number(await campaign.make(app, owner, viewer))
    await newArchive(app, parent, campaignId, owner)
    return campaignId
  },
})

/** Campaigns with some of their calls or messages in an archive file. */
export const archivedCalls = withArchive(fixtures.campaign(), 'attempt')
export const archivedMessages = withArchive(messages.campaign, 'sms_sent')

export const archive: fixtures.RouteFixture = {
  owners: ['user'],
  platform: true,
  async make(app, owner, viewer) {
    return await newArchive(app, 'attempt', Number(await fixtures.campaign().make(app, owner, viewer)), owner)
  },
  missing: fixtures.noId,
}
