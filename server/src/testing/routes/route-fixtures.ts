import { mintId } from '../../db/platform-accounts.ts'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import type { Viewer } from '../../policy.ts'
import type { TestApp } from '../app.ts'
import { newCampaign, newPrompt } from '../campaigns.ts'
import { newPlan, newReseller, newUser } from '../seed.ts'
import { toneFile } from '../files/sound.ts'

/** Makes the object that a request names, and gives an id that none has. */
export type RouteFixture = {
  /** `viewer` is the one who will act on it. */
  make(app: TestApp, owner: Viewer, viewer: Viewer): Promise<unknown>
  missing: unknown
  /** The roles that can own one. Left out: all. */
  owners?: readonly Role[]
  /** It has no owner: everybody whom the policy lets in may act on every one. */
  platform?: true
}

export const noId = 2_000_000_000
let serial = 0
/** Contains the owner's name, so that a stranger's reply with it is noticed. */
const nameOf = (owner: Viewer, what: string) => `${what} ${++serial} of ${owner.username}`

export const account: RouteFixture = { make: async (_, owner) => owner.userId, missing: noId }

/** An account that has a page, which those above it open. */
export const customer: RouteFixture = { ...account, owners: ['user'] }

/** The token of a mailed reset link, for an account of its own. Whoever has it may use it. */
export const resetLink: RouteFixture = {
  platform: true,
  async make(app) {
    const token = randomUUID()
    const { userId } = await newUser(app)
    await app.db
      .insertInto('password_reset')
      .values({
        token_hash: createHash('sha256').update(token).digest(),
        user_id: userId,
        expires_at: new Date(Date.now() + 600_000),
      })
      .execute()
    return token
  },
  missing: randomUUID(),
}

/** The token of a mailed link that confirms the address of an account of its own. */
export const verificationLink: RouteFixture = {
  platform: true,
  async make(app) {
    const token = randomUUID()
    const { userId, username } = await newUser(app)
    const sentAt = new Date()
    const link = { user_id: userId, emailid: `${username}@example.com`, sent_at: sentAt }
    const token_hash = createHash('sha256').update(token).digest()
    await app.db
      .insertInto('mail_verification')
      .values({ ...link, token_hash, expires_at: new Date(sentAt.getTime() + 600_000) })
      .execute()
    return token
  },
  missing: randomUUID(),
}

export const notice: RouteFixture = {
  async make(app, owner) {
    const about = nameOf(owner, 'Campaign')
    const { id } = await app.db
      .insertInto('notice')
      .values({ user_id: owner.userId, kind: 'reportReady', subject_id: 1, about, shown: true, mail_due: false })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

export const session: RouteFixture = {
  async make(app, { userId }) {
    const { id } = await app.db
      .insertInto('session')
      .values({ token_hash: randomBytes(32), user_id: userId, ip: '127.0.0.1', user_agent: 'test' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

export const savedView: RouteFixture = {
  async make(app, owner) {
    const view = { list: '/api/obd/campaign/:userId', name: nameOf(owner, 'View').slice(0, 40), query: 'search=Tihar' }
    const { id } = await app.db
      .insertInto('saved_view')
      .values({ user_id: owner.userId, ...view })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** The owner's account, with calling hours of its own. */
export const ownHours: RouteFixture = {
  async make(app, { userId }, viewer) {
    const line = {
      account_id: userId,
      hours: JSON.stringify(defaultCallingHours),
      reason: 'x',
      changed_by: viewer.userId,
    }
    const own = app.db.insertInto('account_calling_hours').values(line)
    await own.onConflict((conflict) => conflict.doNothing()).execute()
    return userId
  },
  owners: ['user', 'reseller'],
  missing: noId,
}

/** A contact file of the owner that is being made from a campaign. */
export const baseMaking: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const making = { owner_id: owner.userId, campaign_id: 1, name: nameOf(owner, 'File'), choice: '{}' }
    const { id } = await app.db.insertInto('base_making').values(making).returning('id').executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

/** A campaign in this status, with an answered and an unanswered row. */
export function campaign(status: CampaignStatus = 'running'): RouteFixture {
  return {
    owners: ['user'],
    make: (app, owner) => newCampaign(app, owner, { status, rows: 2, name: nameOf(owner, 'Campaign') }),
    missing: noId,
  }
}

/** A campaign with a call flow and a contact file that can be read. */
export const heardCampaign: RouteFixture = {
  ...campaign(),
  async make(app, owner) {
    const campaignId = await newCampaign(app, owner, { name: nameOf(owner, 'Campaign') })
    const flow = JSON.stringify({ templateId: 0, opening: [], menus: [], closing: [] })
    const detail = await app.db
      .updateTable('campaign_detail')
      .set({ flow })
      .where('campaign_id', '=', campaignId)
      .returning('base_id')
      .executeTakeFirstOrThrow()
    const file_hash = await app.files.putBytes(Buffer.from(`9841000001,${owner.username}`))
    await app.db.updateTable('base').set({ file_hash }).where('id', '=', detail.base_id).execute()
    return campaignId
  },
}

/** A complete campaign with a row that nobody answered. */
export const retriable: RouteFixture = {
  ...campaign(),
  async make(app, owner) {
    const campaignId = await newCampaign(app, owner, { status: 'complete', rows: 1, name: nameOf(owner, 'Campaign') })
    const done = { state: 'done', disposition: 'BUSY' } as const
    await app.db.updateTable('campaign_contact').set(done).where('campaign_id', '=', campaignId).execute()
    return campaignId
  },
}

/** A campaign that is over. Deleting it requires its name. */
export const deletable: RouteFixture = {
  ...campaign(),
  make: (app, owner) => newCampaign(app, owner, { status: 'complete', rows: 1, name: deletableName }),
}
export const deletableName = 'To be deleted'

/** Paused by the owner when the owner resumes it, otherwise by the administrator who does. */
export const paused: RouteFixture = {
  ...campaign(),
  async make(app, owner, viewer) {
    if (owner.userId === viewer.userId || viewer.role === 'user')
      return newCampaign(app, owner, { status: 'paused', name: nameOf(owner, 'Campaign') })
    const campaignId = await newCampaign(app, owner, { status: 'onHold', name: nameOf(owner, 'Campaign') })
    const held = { hold_cause: 'administrator', held_by: viewer.userId } as const
    await app.db.updateTable('campaign').set(held).where('id', '=', campaignId).execute()
    return campaignId
  },
}

/** '12.zip' of a complete campaign whose report exists. */
export const reportZip: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const name = nameOf(owner, 'Campaign')
    const campaign_id = await newCampaign(app, owner, { status: 'complete', name })
    const hash = await app.files.putBytes(Buffer.from(`zip of ${name}`))
    const files = { zip_hash: hash, cc_hash: hash, dtmf_hash: hash }
    const at = { requested_at: new Date(), made_at: new Date() }
    await app.db
      .insertInto('report')
      .values({ campaign_id, status: 'ready', requested_by: owner.userId, answered: 0, ...files, ...at })
      .execute()
    return `${campaign_id}.zip`
  },
  missing: `${noId}.zip`,
}

export const readyExport: RouteFixture = {
  async make(app, owner) {
    const file_hash = await app.files.putBytes(Buffer.from(nameOf(owner, 'Export')))
    const expires_at = new Date(app.clock.now().getTime() + 24 * 3600_000)
    const what = { kind: 'calls', format: 'csv', filter: '{}', file_name: 'calls.csv', status: 'ready' } as const
    const { id } = await app.db
      .insertInto('export')
      .values({ owner_id: owner.userId, ...what, bytes: 1, file_hash, expires_at, ended_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

export const recording: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const campaign_id = await newCampaign(app, owner)
    const file_hash = await app.files.putBytes(Buffer.from(nameOf(owner, 'Recording')))
    const id = randomUUID()
    await app.db
      .insertInto('recording')
      .values({ id, attempt_id: ++serial, campaign_id, account_id: owner.userId, file_hash, duration_ms: 1000 })
      .execute()
    return `${id}.wav`
  },
  missing: '01234567-89ab-cdef-0123-456789abcdef.wav',
}

/** The same object, named by its id only. */
export const recordingId: RouteFixture = {
  ...recording,
  make: async (app, owner, viewer) => String(await recording.make(app, owner, viewer)).replace('.wav', ''),
  missing: '01234567-89ab-cdef-0123-456789abcdef',
}

const promptOwners = ['user', 'reseller'] as const
export const prompt: RouteFixture = {
  owners: promptOwners,
  make: (app, owner) => newPrompt(app, owner, { name: nameOf(owner, 'Prompt') }),
  missing: noId,
}
export const pendingPrompt: RouteFixture = {
  ...prompt,
  make: (app, owner) => newPrompt(app, owner, { name: nameOf(owner, 'Prompt'), status: 'pending' }),
}

/** The owner of a voice file that is called 'heard', with its sound. */
export const listened: RouteFixture = {
  owners: promptOwners,
  async make(app, owner) {
    const hash = await app.files.putBytes(Buffer.from(await toneFile('tone.wav', 1).arrayBuffer()))
    const files = { wav_hash: hash, original_hash: hash, duration_ms: 1000 }
    await app.db
      .insertInto('prompt')
      .values({ owner_id: owner.userId, name: 'heard', category: 'menu', account_type: 'promotional', ...files })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return owner.userId
  },
  missing: noId,
}

/** A voice pack with one word that waits for a decision. A super admin's belongs to the platform. */
export const voicePack: RouteFixture = {
  async make(app, owner) {
    const name = nameOf(owner, 'Voice')
    const of = { name, language: 'en', change_no: 1, owner_id: owner.role === 'superAdmin' ? null : owner.userId }
    const { id } = await app.db.insertInto('voice_pack').values(of).returning('id').executeTakeFirstOrThrow()
    const pending_hash = await app.files.putBytes(Buffer.from(name))
    await app.db
      .insertInto('voice_pack_word')
      .values({ pack_id: id, key: '1', pending_hash, pending_ms: 500 })
      .execute()
    return id
  },
  missing: noId,
}

/** A contact file of one number. */
export const base: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const file_hash = await app.files.putBytes(Buffer.from('mobile\n9841000001\n'))
    const { id } = await app.db
      .insertInto('base')
      .values({
        owner_id: owner.userId,
        name: nameOf(owner, 'Base'),
        file_hash,
        size_bytes: 18,
        rows: 1,
        dialable: 1,
        columns: ['mobile'],
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

export const dialBlock: RouteFixture = {
  platform: true,
  async make(app, _, viewer) {
    const { userId } = await newUser(app)
    const { id } = await app.db
      .insertInto('dial_block')
      .values({ kind: 'account', target_id: userId, reason: 'Asked for', by_user_id: viewer.userId })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}

let alerts = 0
/** Each is about something else: of one kind, place and hour there is one. */
export const alert: RouteFixture = {
  platform: true,
  async make(app) {
    const of = { kind: 'record', subject: `dialer ${(alerts += 1)}`, detail: 'the cause' }
    return (await app.db.insertInto('alert').values(of).returning('id').executeTakeFirstOrThrow()).id
  },
  missing: noId,
}

export const waitingDomain: RouteFixture = {
  platform: true,
  async make(app) {
    const { userId, username } = await newReseller(app)
    const hostname = `${username.toLowerCase()}.example.com`
    const claim = app.db.insertInto('brand_domain').values({ user_id: userId, hostname })
    return (await claim.returning('id').executeTakeFirstOrThrow()).id
  },
  missing: noId,
}

/** A plan without accounts, which can be deleted. A super admin's belongs to the platform. */
export const plan: RouteFixture = {
  owners: ['reseller', 'superAdmin'],
  make: (app, owner) => newPlan(app, owner.role === 'reseller' ? { owner } : {}),
  missing: noId,
}

/** The owner of the numbers that a super admin blacklists. */
async function blacklistOwner(app: TestApp, owner: Viewer): Promise<number> {
  return owner.role === 'superAdmin' ? app.db.transaction().execute(mintId) : owner.userId
}

export const blacklisted: RouteFixture = {
  async make(app, owner) {
    const entry = { owner_id: await blacklistOwner(app, owner), phone: 9_779_850_000_000 + ++serial }
    return (await app.db.insertInto('blacklist').values(entry).returning('id').executeTakeFirstOrThrow()).id
  },
  missing: noId,
}

export const blacklistUpload: RouteFixture = {
  async make(app, owner) {
    const counts = { rows: 1, accepted: 1, duplicate: 0, invalid: 0 }
    const upload = {
      owner_id: await blacklistOwner(app, owner),
      by_user_id: owner.userId,
      file_name: 'a.csv',
      ...counts,
    }
    return (await app.db.insertInto('blacklist_upload').values(upload).returning('id').executeTakeFirstOrThrow()).id
  },
  missing: noId,
}

export const childOf: RouteFixture = {
  owners: ['reseller', 'superAdmin'],
  make: async (app, owner) => (await newUser(app, { parent: owner, username: nameOf(owner, 'User') })).userId,
  missing: noId,
}

/** A list with one of them, for requests that name several. */
export const several = (fixture: RouteFixture): RouteFixture => ({
  ...fixture,
  make: async (app, owner, viewer) => [await fixture.make(app, owner, viewer)],
  missing: [fixture.missing],
})
