import { randomUUID } from 'node:crypto'
import { newSender, newSmsCampaign } from '../sms-campaigns.ts'
import { deletableName, noId, type RouteFixture } from './route-fixtures.ts'

let serial = 0

/** A running SMS campaign with a delivered and a waiting message. */
export const campaign: RouteFixture = {
  owners: ['user'],
  make: (app, owner) =>
    newSmsCampaign(app, owner, {
      messages: [{ state: 'delivered' }, {}],
      name: `SMS ${++serial} of ${owner.username}`,
    }),
  missing: noId,
}

/** Ready, with a sender ID that is approved, as its change asks for. */
export const editable: RouteFixture = {
  ...campaign,
  async make(app, owner) {
    const number = ++serial
    const name = `SMS ${number} of ${owner.username}`
    const campaignId = await newSmsCampaign(app, owner, { status: 'ready', name })
    const sender = await newSender(app, owner, { name: `Sender${number}` })
    await app.db.updateTable('sms_campaign').set({ sender }).where('id', '=', campaignId).execute()
    return campaignId
  },
}

/** Paused by the owner when the owner resumes it, otherwise by the administrator who does. */
export const paused: RouteFixture = {
  ...campaign,
  make(app, owner, viewer) {
    const name = `SMS ${++serial} of ${owner.username}`
    if (owner.userId === viewer.userId || viewer.role === 'user')
      return newSmsCampaign(app, owner, { status: 'paused', name })
    return newSmsCampaign(app, owner, { status: 'onHold', heldBy: viewer, name })
  },
}

/** A message that a program sent. */
export const sent: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const name = `SMS ${++serial} of ${owner.username}`
    const campaign_id = await newSmsCampaign(app, owner, { name, messages: [{}] })
    await app.db
      .insertInto('api_send')
      .values({ campaign_id, no: 0, account_id: owner.userId, text: 'Hello' })
      .execute()
    return `${campaign_id}-1`
  },
  missing: '2147483647-1',
}

/** With a row whose columns wait for approval. */
export const unapproved: RouteFixture = {
  ...campaign,
  async make(app, owner) {
    const name = `SMS ${++serial} of ${owner.username}`
    const campaign_id = await newSmsCampaign(app, owner, { name })
    const reason = 'its {name} waits for approval: it looks like an address'
    await app.db
      .insertInto('sms_unapproved')
      .values({ campaign_id, line: 2, phone: 9_779_841_000_001, operator: 1, segments: 1, vars: '{}', reason })
      .execute()
    await app.db.updateTable('sms_campaign').set({ unapproved: 1 }).where('id', '=', campaign_id).execute()
    return campaign_id
  },
}

export const retriable: RouteFixture = {
  ...campaign,
  make: (app, owner) =>
    newSmsCampaign(app, owner, {
      status: 'complete',
      messages: [{ state: 'failed' }],
      name: `SMS ${++serial} of ${owner.username}`,
    }),
}

/** A campaign that is over. Deleting it requires its name. */
export const deletable: RouteFixture = {
  ...retriable,
  async make(app, owner, viewer) {
    const campaignId = await retriable.make(app, owner, viewer)
    await app.db
      .updateTable('sms_campaign_progress')
      .set({ name: deletableName })
      .where('campaign_id', '=', Number(campaignId))
      .execute()
    return campaignId
  },
}

export const sender: RouteFixture = {
  owners: ['user'],
  make: (app, owner) => newSender(app, owner, { name: `Sender${++serial}` }),
  missing: 'Missing',
}

/** A file of one number that was just uploaded. */
export const stagedFile: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const bytes = Buffer.from('mobile\n9841000001\n')
    const file_hash = await app.files.putBytes(bytes)
    const { name } = await app.db
      .insertInto('sms_staged_file')
      .values({
        owner_id: owner.userId,
        file_hash,
        size_bytes: bytes.length,
        declared_type: 'text/csv',
        created_at: app.clock.now(),
      })
      .returning('name')
      .executeTakeFirstOrThrow()
    return name
  },
  missing: randomUUID(),
}
