import { campaignStatusLabel } from '@ghanti/contract/campaign-status.ts'
import { notSupported } from '@ghanti/contract/messages.ts'
import { promptSecondsMax, promptStatusLabel } from '@ghanti/contract/prompts.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import { refusedType } from '../../http/requests/refused-type.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import { ownScope, scopeOf } from '../../policy.ts'
import { convertWav } from '../../audio/wav-worker.ts'
import { wavTypes, type ConvertedWav } from '../../audio/wav.ts'
import { audit } from '../audit/actions.ts'
import { giveNotice } from '../notices/actions.ts'
import { forgetFile, keepFiles, withFiles } from '../files/actions.ts'
import { unusable, type WantedPrompt } from './rules.ts'
import * as store from './store.ts'

export type Upload = { name: string; category: PromptCategory; wave: StagedFile }
/** `notes`: what its owner should know about the sound, each a sentence. */
export type Uploaded = { promptId: number; notes: readonly string[] }

/** Stores the sound in the format that telephones play, and the original. Pending until a super admin decides. */
export async function uploadPrompt(ctx: Ctx, { name, category, wave }: Upload): Promise<Uploaded> {
  const { app, viewer } = ctx
  const taken = await store.findByName(app.db, ownScope(viewer), viewer.userId, name)
  if (taken) throw nameTaken()
  const ownerId = viewer.userId
  const wav = await telephoneWav(wave, ownerId)
  const sizeBytes = wave.size + wav.bytes.length
  return await withFiles(app, async (tx) => {
    if (await store.findByName(tx, ownScope(viewer), ownerId, name)) throw nameTaken()
    const accountType = await store.accountTypeOf(tx, ownerId)
    const field = 'waveFile'
    const beside = [{ what: 'prompts', more: 1, field }] as const
    const [wavHash = '', originalHash = ''] = await keepFiles(tx, app.files, [wav.bytes, wave.path], {
      ownerId,
      field,
      beside,
    })
    const { durationMs } = wav
    const prompt = { ownerId, name, category, accountType, wavHash, originalHash, durationMs, sizeBytes }
    const promptId = await store.insert(tx, prompt)
    if (promptId === undefined) throw nameTaken()
    await audit(tx, ctx, 'prompt.upload', `prompt ${promptId}`, { name, category, durationMs: wav.durationMs })
    return { promptId, notes: wav.notes }
  })
}

/** The sound as telephones play it. Refuses at `waveFile` what is no wav file, or longer. */
export async function telephoneWav(
  wave: StagedFile,
  ownerId: number,
  secondsMax = promptSecondsMax,
): Promise<ConvertedWav> {
  const end = await convertWav({ path: wave.path, secondsMax }, ownerId)
  if (end.kind === 'sound') return end.wav
  if (end.kind === 'refused') throw badField('waveFile', end.why, end.code)
  const message = notSupported(refusedType(wave.declaredType, end.type, wavTypes))
  const text = `is ${end.type} by its content, only wav files are taken`
  throw new AppError('not_supported', [{ field: 'waveFile', code: 'not_supported', text }], { message })
}

function nameTaken(): AppError {
  return conflict('fileName', 'is the name of another of your voice files', 'taken')
}

/** Deletes the viewer's own file (a super admin: any), unless an unfinished campaign uses it. A finished campaign keeps the sound. */
export async function deletePrompt(ctx: Ctx, promptId: number): Promise<void> {
  const { app, viewer } = ctx
  await withFiles(app, async (tx) => {
    const prompt = await store.find(tx, scopeOf(viewer), promptId)
    if (!prompt) throw new AppError('not_found')
    if (prompt.owner_id !== viewer.userId && viewer.role !== 'superAdmin') throw new AppError('not_allowed')
    if (!(await store.lockForDelete(tx, promptId))) throw new AppError('not_found')
    const uses = await store.unfinishedUses(tx, { promptId, ownerId: prompt.owner_id })
    if (uses.length > 0) {
      const names = uses.map((use) => `'${use.name}' (${campaignStatusLabel[use.status]})`).join(', ')
      throw conflict('promptId', `is used by ${names}: wait until they are finished or stop them`, 'in_use')
    }
    await store.markDeleted(tx, promptId, app.clock.now())
    for (const hash of [prompt.wav_hash, prompt.original_hash]) forgetFile(tx, hash)
    await audit(tx, ctx, 'prompt.delete', `prompt ${promptId}`, { name: prompt.name, ownerId: prompt.owner_id })
  })
}

/** Of all accounts, counted up to 100. */
export function waitingPrompts(db: Db): Promise<number> {
  return store.countPending(db)
}

export type Decision = { promptId: number; status: 'approved' | 'rejected'; reason: string | null }

/** Only pending files can be decided; of two concurrent decisions, one gets 409. */
export async function decidePrompt(ctx: Ctx, decision: Decision): Promise<void> {
  const { app, viewer } = ctx
  const { promptId, status, reason } = decision
  await app.db.transaction().execute(async (tx) => {
    const decided = await store.decide(tx, { ...decision, byUserId: viewer.userId, at: app.clock.now() })
    const prompt = await store.find(tx, scopeOf(viewer), promptId)
    if (!prompt) throw new AppError('not_found')
    if (!decided) throw conflict('promptId', `is already ${promptStatusLabel[prompt.status]}`, 'decided')
    const kind = status === 'approved' ? 'promptApproved' : 'promptRejected'
    await giveNotice(tx, { userId: prompt.owner_id, kind, subjectId: promptId, about: prompt.name, reason })
    const action = status === 'approved' ? 'prompt.approve' : 'prompt.reject'
    await audit(tx, ctx, action, `prompt ${promptId}`, { name: prompt.name, ownerId: prompt.owner_id, reason })
  })
}

export type UsablePrompt = { promptId: number; durationMs: number; wavHash: string }

/**
 * The owner's approved prompts among those that compose's fields name, locked until `tx` ends so that none is deleted. Throws 400 naming
 * each field whose prompt is missing, somebody else's or not approved.
 */
export async function requireApprovedPrompts(
  tx: Tx,
  ownerId: number,
  wanted: readonly WantedPrompt[],
): Promise<Map<number, UsablePrompt>> {
  if (wanted.length === 0) return new Map()
  const promptIds = [...new Set(wanted.map((prompt) => prompt.promptId))]
  const own = new Map((await store.holdOwn(tx, ownerId, promptIds)).map((prompt) => [prompt.id, prompt]))
  const errors = unusable(wanted, own)
  if (errors.length > 0) throw new AppError('bad_input', errors)
  return new Map(
    [...own].map(([promptId, prompt]) => [
      promptId,
      { promptId, durationMs: prompt.duration_ms, wavHash: prompt.wav_hash },
    ]),
  )
}

/** The names of a campaign's deleted prompts. The others are locked until `tx` ends, so that none is deleted. */
export async function deletedPromptsOf(tx: Tx, campaignId: number): Promise<string[]> {
  const prompts = await store.holdOfCampaign(tx, campaignId)
  return prompts.filter((prompt) => prompt.deleted_at !== null).map((prompt) => prompt.name)
}
