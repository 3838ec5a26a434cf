import * as fs from 'node:fs'
import * as path from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newBase, newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { newUser } from '../../testing/seed.ts'
import { forgetUnnamedFiles } from './actions.ts'

const app = await testApp()
const user = await newUser(app)
const dayMs = 24 * 3600_000

async function age(file: string, ms = dayMs + 60_000): Promise<void> {
  const at = new Date(Date.now() - ms)
  await fs.promises.utimes(file, at, at)
}
let serial = 0
async function stored(): Promise<string> {
  const hash = await app.files.putBytes(Buffer.from(`file ${++serial}`))
  await age(await app.files.pathOf(hash))
  return hash
}
async function there(): Promise<string[]> {
  const hashes: string[] = []
  for await (const hash of app.files.all()) hashes.push(hash)
  return hashes.toSorted()
}

async function newPromptOf(of: {
  wav?: string | undefined
  original?: string | undefined
  owner?: Viewer
  deletedAt?: Date
}): Promise<void> {
  const { wav = '', original = '', owner = user, deletedAt: deleted_at = null } = of
  const id = await newPrompt(app, owner)
  const files = { wav_hash: wav, original_hash: original, deleted_at }
  await app.db.updateTable('prompt').set(files).where('id', '=', id).execute()
}

test('a file that anything names stays, whatever its age', async () => {
  const hashes = await Promise.all(Array.from({ length: 11 }, stored))
  const [prompt, original, base, voice, word, pending, recording, zip, cc, dtmf, logo] = hashes
  await newPromptOf({ wav: prompt, original })
  const baseId = await newBase(app, user)
  await app.db
    .updateTable('base')
    .set({ file_hash: base ?? '' })
    .where('id', '=', baseId)
    .execute()
  const sound = { voice: 'v', text: 't', file_hash: voice ?? '', duration_ms: 1 }
  await app.db.insertInto('speech_sound').values(sound).execute()
  const pack = { owner_id: user.userId, name: 'Sita', language: 'ne' }
  const { id: pack_id } = await app.db.insertInto('voice_pack').values(pack).returning('id').executeTakeFirstOrThrow()
  const heard = { pack_id, key: '1', wav_hash: word ?? '', duration_ms: 1, pending_hash: pending ?? '', pending_ms: 1 }
  await app.db.insertInto('voice_pack_word').values(heard).execute()
  const campaign_id = await newCampaign(app, user)
  const talk = {
    id: randomUUID(),
    attempt_id: 1,
    campaign_id,
    account_id: user.userId,
    file_hash: recording ?? '',
    duration_ms: 1,
  }
  await app.db.insertInto('recording').values(talk).execute()
  const report = { campaign_id, status: 'ready', zip_hash: zip, cc_hash: cc, dtmf_hash: dtmf } as const
  await app.db.insertInto('report').values(report).execute()
  const brand = { user_id: user.userId, logo_hash: logo ?? '', logo_type: 'image/png', logo_bytes: 1, company: 'Himal' }
  await app.db.insertInto('branding').values(brand).execute()
  expect(await forgetUnnamedFiles(app)).toBe(0)
  expect(await there()).toEqual(hashes.toSorted())
})

test('files that nothing names, and unfinished ones, go after a day; younger ones stay', async () => {
  await forgetUnnamedFiles(app)
  const before = await there()
  const young = await app.files.putBytes(Buffer.from('young'))
  const old = await stored()
  const folder = path.join(path.dirname(path.dirname(await app.files.pathOf(young))), 'tmp')
  const [torn, tearing] = [path.join(folder, randomUUID()), path.join(folder, randomUUID())]
  for (const file of [torn, tearing]) fs.writeFileSync(file, 'x')
  await age(torn)
  expect(await forgetUnnamedFiles(app)).toBe(1)
  expect(await there()).toEqual([...before, young].toSorted())
  expect(old).not.toBe(young)
  expect([torn, tearing].map((file) => fs.existsSync(file))).toEqual([false, true])
})

test('files of deleted prompts go, unless a campaign plays the sound, be it finished, or another prompt has the same', async () => {
  const before = await there()
  const [unused, itsOriginal, played, playedOriginal, again, others] = await Promise.all(
    Array.from({ length: 6 }, stored),
  )
  const deletedAt = new Date()
  await newPromptOf({ wav: unused, original: itsOriginal, deletedAt })
  await newPromptOf({ wav: played, original: playedOriginal, deletedAt })
  const campaignId = await newCampaign(app, user, { status: 'complete' })
  const part = { kind: 'prompt', promptId: 1, durationMs: 1, hash: played }
  const flow = JSON.stringify({ templateId: 0, opening: [], menus: [{ parts: [part] }] })
  await app.db.updateTable('campaign_detail').set({ flow }).where('campaign_id', '=', campaignId).execute()
  await newPromptOf({ wav: again, deletedAt })
  await newPromptOf({ wav: again })
  await newPromptOf({ wav: others, deletedAt })
  await newPromptOf({ original: others, owner: await newUser(app) })
  expect(await forgetUnnamedFiles(app)).toBe(3)
  expect(await there()).toEqual([...before, played, again, others].toSorted())
})

test('a deleted prompt that is uploaded again while its file is removed has its file', async () => {
  const hash = await stored()
  const bytes = fs.readFileSync(await app.files.pathOf(hash))
  await newPromptOf({ wav: hash, deletedAt: new Date() })
  const removing = {
    ...app.files,
    removeStoredBefore: async (which: string, before: Date) => {
      await app.files.putBytes(bytes)
      await newPromptOf({ wav: hash })
      return app.files.removeStoredBefore(which, before)
    },
  }
  expect(await forgetUnnamedFiles({ ...app, files: removing })).toBe(0)
  expect(await there()).toContain(hash)
})

test('bytes that are stored again at that moment are kept', async () => {
  const hash = await stored()
  const bytes = fs.readFileSync(await app.files.pathOf(hash))
  const removing = {
    ...app.files,
    removeStoredBefore: async (which: string, before: Date) => {
      await app.files.putBytes(bytes)
      return app.files.removeStoredBefore(which, before)
    },
  }
  expect(await forgetUnnamedFiles({ ...app, files: removing })).toBe(0)
  expect(await there()).toContain(hash)
})
