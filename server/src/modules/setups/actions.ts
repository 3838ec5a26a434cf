import type { ReplyOf } from '@ghanti/contract/route.ts'
import { setupsMax, type Gone, type SetupFields, type setupRoutes } from '@ghanti/contract/setups.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { Problems } from '../campaigns/actions.ts'
import { requireBase } from '../contacts/actions.ts'
import { requireCli } from '../lines/actions.ts'
import { requireApprovedPrompts } from '../prompts/actions.ts'
import { promptsIn, readFields, taken, tooMany } from './rules.ts'
import * as store from './store.ts'

type Row = ReplyOf<typeof setupRoutes.list>[number]

export async function setupsOf({ app, viewer }: Ctx): Promise<Row[]> {
  const setups = await store.list(app.db, viewer.userId)
  return setups.map(({ id, name, templateId, cli, baseName, changed_at }) => ({
    setupId: id,
    setupName: name,
    templateId,
    cli,
    baseName,
    changedTime: nepalTimeOf(changed_at),
  }))
}

/** What the viewer's set-up holds. Names what of it was deleted or cannot be read; leaves that out, but deleted voice files stay. */
export async function setupOf({ app, viewer }: Ctx, setupId: number): Promise<ReplyOf<typeof setupRoutes.detail>> {
  const setup = await store.find(app.db, viewer.userId, setupId)
  if (!setup) throw new AppError('not_found')
  const { fields, faults } = readFields(setup.fields)
  const { gone, composed } = await app.db.transaction().execute((tx) => withoutGone(tx, viewer.userId, fields))
  return { setupId, setupName: setup.name, composed, gone, faults: faults.map(({ field, text }) => ({ field, text })) }
}

type WithoutGone = { composed: SetupFields; gone: Gone[] }

/** Deleted voice files stay: compose reports them at their fields. */
async function withoutGone(tx: Tx, ownerId: number, fields: SetupFields): Promise<WithoutGone> {
  const { cli, baseId } = fields
  const gone: Gone[] = []
  const promptIds = promptsIn(fields).map(({ promptId }) => promptId)
  for (const name of await store.gonePrompts(tx, ownerId, promptIds)) gone.push({ what: 'voiceFile', name })
  const hasCli = cli === undefined || (await new Problems().of(() => requireCli(tx, ownerId, cli))) !== undefined
  if (!hasCli) gone.push({ what: 'cli', name: cli })
  const goneBase = baseId === undefined ? undefined : await store.goneBase(tx, ownerId, baseId)
  if (goneBase !== undefined) gone.push({ what: 'contacts', name: goneBase })
  const left = { ...(!hasCli && { cli: undefined }), ...(goneBase !== undefined && { baseId: undefined }) }
  return { composed: { ...fields, ...left }, gone }
}

/** Whatever the fields name must be the viewer's own. Any field may be missing. */
export function saveSetup(ctx: Ctx, name: string, fields: SetupFields): Promise<number> {
  return insertSetup(ctx, name, async (tx) => {
    const { userId } = ctx.viewer
    const { cli, baseId } = fields
    const problems = new Problems()
    await problems.of(() => requireApprovedPrompts(tx, userId, promptsIn(fields)))
    if (cli !== undefined) await problems.of(() => requireCli(tx, userId, cli))
    if (baseId !== undefined) await problems.of(() => requireBase(tx, ownScope(ctx.viewer), baseId, 0))
    problems.refuseIfAny()
    return fields
  })
}

/** Saves what the campaign used even if it was deleted since. Opening the set-up then says what is gone. */
export function saveSetupFrom(ctx: Ctx, name: string, campaignId: number, withContacts: boolean): Promise<number> {
  return insertSetup(ctx, name, async (tx) => {
    const campaign = await store.composedOf(tx, ctx.viewer.userId, campaignId)
    if (!campaign) throw new AppError('not_found')
    const { fields: composed, faults } = readFields(campaign.composed)
    if (faults.length > 0) throw new AppError('bad_input', faults)
    const { baseId, ...fields } = composed
    return { ...fields, ...(withContacts && !campaign.pasted && { baseId }) }
  })
}

function insertSetup(ctx: Ctx, name: string, fieldsIn: (tx: Tx) => Promise<SetupFields>): Promise<number> {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    await store.lock(tx, viewer.userId)
    const fields = await fieldsIn(tx)
    if ((await store.count(tx, viewer.userId)) >= setupsMax) throw conflict('setupName', tooMany, 'quota')
    await requireFreeName(tx, viewer.userId, name)
    const setupId = await store.insert(tx, viewer.userId, name, fields, app.clock.now())
    await audit(tx, ctx, 'setup.save', `setup ${setupId}`, { name })
    return setupId
  })
}

async function requireFreeName(tx: Tx, userId: number, name: string, but?: number): Promise<void> {
  if (await store.nameTaken(tx, userId, name, but)) throw conflict('setupName', taken, 'taken')
}

export function renameSetup(ctx: Ctx, setupId: number, name: string): Promise<void> {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    await store.lock(tx, viewer.userId)
    const before = await store.find(tx, viewer.userId, setupId)
    if (!before) throw new AppError('not_found')
    await requireFreeName(tx, viewer.userId, name, setupId)
    await store.rename(tx, setupId, name, app.clock.now())
    await audit(tx, ctx, 'setup.rename', `setup ${setupId}`, { before: before.name, after: name })
  })
}

export function deleteSetup(ctx: Ctx, setupId: number): Promise<void> {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    const name = await store.remove(tx, viewer.userId, setupId)
    if (name === undefined) throw new AppError('not_found')
    await audit(tx, ctx, 'setup.delete', `setup ${setupId}`, { name })
  })
}
