import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { stoppableOf } from '@ghanti/contract/platform.ts'
import * as z from 'zod/mini'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { stopWords } from './rules-words.ts'
import { settings, type Setting, type SettingName } from './rules.ts'
import * as store from './store.ts'

/** The settings, typed so that the schema of any one gives that one's value. */
const schemas: { readonly [Name in SettingName]: { schema: z.ZodMiniType<Setting<Name>> } } = settings

/** The setting, or its fallback where nobody has set it. Throws when the stored value no longer fits its schema. */
export async function settingOf<Name extends SettingName>(db: Db, name: Name): Promise<Setting<Name>> {
  return settingIn(name, await store.setting(db, settings[name].key))
}

/** As it was read together with something else; null or undefined: nobody set it. */
export function settingIn<Name extends SettingName>(name: Name, stored: unknown): Setting<Name> {
  return z.parse(schemas[name].schema, stored ?? settings[name].fallback)
}

/** How many numbers had more calls today than the current caps allow. */
export async function numbersOverCaps(db: Db): Promise<number> {
  return store.numbersOver(db, await settingOf(db, 'numberCaps'))
}

/** The account's own calling hours, those of the nearest account above that has some, or the platform's. */
export async function callingHoursOf(db: Db, accountId: number): Promise<CallingHours> {
  const own = await store.accountHours(db, accountId)
  return own ? z.parse(settings.callingHours.schema, own) : settingOf(db, 'callingHours')
}

export async function openBlocks(db: Db): Promise<store.DialBlock[]> {
  return (await store.openBlocks(db)).filter(({ what }) => what !== 'messages')
}

export async function everyBlock(db: Db): Promise<store.DialBlock[]> {
  return store.openBlocks(db)
}

/** `byUserId` null: set by the system at its first start. */
export async function changeSetting<Name extends SettingName>(
  tx: Tx,
  name: Name,
  value: Setting<Name>,
  byUserId: number | null,
): Promise<void> {
  const { key, schema } = settings[name]
  await store.writeSetting(tx, { key, value: z.parse(schema, value), byUserId })
}

/** The demo dials at night, calls the same numbers all day, and asks nobody for a password of their own. Without it the platform's defaults apply again. */
export async function forgetDemoSettings(tx: Tx): Promise<void> {
  await store.deleteSystemSettings(tx)
}

/**
 * Which stops concern each viewer, as sentences. The platform's concern everybody; an account's, it and all below; a dialer's or trunk's,
 * super admins and holders of a caller ID on it; a gateway's, super admins.
 */
export async function stopsOf(db: Db, userIds: readonly number[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>(userIds.map((id) => [id, []]))
  const blocks = await store.openBlocks(db)
  if (blocks.length === 0) return found
  for (const { userId, blockId } of await store.concerned(db, userIds)) {
    const block = blocks.find(({ id }) => id === blockId)
    if (block) found.get(userId)?.push(stopWords[block.what](wordsOf(block), block.reason))
  }
  return found
}

function wordsOf({ kind, target }: store.DialBlock): string {
  if (kind === 'platform' || kind === 'account') return `of the ${kind}`
  return `of ${kind} ${target}`
}

type Target = { kind: store.DialBlockKind; targetId: number | null; what?: store.Stopped | undefined }

export async function dialEffect({ db }: App, target: Target) {
  const what = await requireTarget(db, target)
  const { kind, targetId } = target
  const calls = what === 'messages' ? noCalls : await store.dialEffect(db, kind, targetId)
  if (what === 'calls') return { ...calls, messages: null }
  const ofGateway = kind === 'gateway' && targetId !== null
  const messages = await (ofGateway ? store.gatewayEffect(db, targetId) : store.messageEffect(db, targetId))
  return { ...calls, messages }
}
const noCalls: store.CallEffect = { running: 0, toBegin: 0, calls: 0, underWay: 0, elsewhere: 0 }

/** Throws 400 naming the field when the target does not exist or carries nothing of that kind. */
async function requireTarget(db: Db, { kind, targetId, what }: Target): Promise<store.Stopped> {
  const may = stoppableOf(kind)
  const wanted = what ?? may[0] ?? 'all'
  if (!may.includes(wanted))
    throw badField('what', kind === 'gateway' ? 'must be messages for a gateway' : `must be calls for a ${kind}`)
  if (kind === 'platform' && targetId !== null) throw badField('targetId', 'must be left out for the whole platform')
  if (kind !== 'platform' && targetId === null) throw badField('targetId', 'is required', 'required')
  if (kind !== 'platform' && targetId !== null && !(await store.targetExists(db, kind, targetId)))
    throw badField('targetId', `is no ${kind}`, 'not_found')
  return wanted
}

export type StopDialling = Target & { reason: string }

/** From the next claim on, no stopped attempt or message starts. Statuses and what is under way stay (docs/design.md#stop-all-dialling). */
export async function stopDialling(ctx: Ctx, { reason, ...target }: StopDialling): Promise<number> {
  const { app, viewer } = ctx
  return await app.db.transaction().execute(async (tx) => {
    const { kind, targetId } = target
    const what = await requireTarget(tx, target)
    const dialBlockId = await store.insertBlock(tx, { kind, what, targetId, reason, byUserId: viewer.userId })
    if (dialBlockId === undefined) throw conflict('targetId', 'is stopped already', 'stopped')
    await audit(tx, ctx, 'dialling.stop', targetOf(kind, targetId), {
      dialBlockId,
      reason,
      ...(what !== 'calls' && { what }),
    })
    return dialBlockId
  })
}

export async function allowDialling(ctx: Ctx, dialBlockId: number): Promise<void> {
  const { app, viewer } = ctx
  await app.db.transaction().execute(async (tx) => {
    const lifted = await store.liftBlock(tx, { id: dialBlockId, byUserId: viewer.userId, at: app.clock.now() })
    const block = await store.findBlock(tx, dialBlockId)
    if (!block) throw new AppError('not_found')
    if (!lifted) throw conflict('dialBlockId', 'is lifted already', 'lifted')
    await audit(tx, ctx, 'dialling.allow', targetOf(block.kind, block.target_id), { dialBlockId })
  })
}

function targetOf(kind: string, targetId: number | null): string {
  return targetId === null ? kind : `${kind} ${targetId}`
}
