import type { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { dialerDefaults, moreThanTotal } from '@ghanti/contract/dialers.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { AppError, badField, conflict, type FieldError } from '../../errors.ts'
import { isMediaSigned, readerOf } from '../../lib/media-address.ts'
import { namesOf } from '../../lib/list-of-names.ts'
import type { Ctx } from '../../http/types.ts'
import { seal } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { updatedFields } from '../audit/rules.ts'
import { demoAccountExists } from '../auth/actions.ts'
import { demoOnlyHere, isLoopback, isNear, needsTls, plainFingerprint } from './rules-address.ts'
import { ariSecretPurpose } from './rules-secrets.ts'
import * as store from './store-dialers.ts'

type NewDialer = InputOf<typeof dialerRoutes.create>
type DialerUpdate = InputOf<typeof dialerRoutes.update>
type Access = Pick<store.Dialer, 'ari_user' | 'ari_secret_sealed' | 'tls_fingerprint' | 'media_folder' | 'media_url'>

const noAccess: Access = {
  ari_user: null,
  ari_secret_sealed: null,
  tls_fingerprint: null,
  media_folder: null,
  media_url: null,
}

export async function createDialer(ctx: Ctx, input: NewDialer): Promise<number> {
  const { app } = ctx
  const driver = input.driver ?? (app.config.embedded ? 'simulator' : 'asterisk')
  if (driver === 'simulator' && !app.config.embedded)
    throw badField('driver', 'belongs to the demo, which has no DATABASE_URL')
  const access = accessOf(app, input.ari, noAccess)
  const dialer = {
    name: input.dialerName,
    driver,
    host: input.dialerIP,
    port: input.dialerPort,
    cps: input.cps ?? dialerDefaults.cps,
    channels: input.totalChannels ?? dialerDefaults.totalChannels,
    ...access,
  }
  return app.db.transaction().execute(async (tx) => {
    await requireAddress(tx, dialer, null)
    const dialerId = await refuseTaken(taken(dialer.name), () => store.insertDialer(tx, dialer))
    await audit(tx, ctx, 'dialer.create', `dialer ${dialerId}`, withoutSecrets(dialer))
    return dialerId
  })
}

/** Calls under way continue. The address can change only while there are none, because nobody could ask the old machine how they ended. */
export async function updateDialer(ctx: Ctx, input: DialerUpdate): Promise<void> {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    const before = await store.lockDialer(tx, input.dialerId)
    if (!before) throw new AppError('not_found')
    const change = changeOf(app, input, before)
    const after = { ...before, ...change }
    const moved = after.host !== before.host || after.port !== before.port
    const accessChanged =
      moved || Object.keys(noAccess).some((key) => after[key as keyof Access] !== before[key as keyof Access])
    if (moved && after.ari_secret_sealed !== null && after.ari_secret_sealed === before.ari_secret_sealed)
      throw badField('ari.secret', 'is required again when the address changes', 'required')
    await requireAddress(tx, after, before.id)
    const { calls } = accessChanged ? await store.openCallsOf(tx, before.id) : { calls: 0 }
    if (moved && calls > 0) throw conflict('dialerIP', await callsThere(tx, before.id, 'dialerIP', calls), 'in_use')
    await refuseTaken(taken(after.name), () => store.updateDialer(tx, before.id, change))
    if (accessChanged) await store.endLease(tx, before.id)
    await audit(tx, ctx, 'dialer.update', `dialer ${before.id}`, updatedFields(before, change, 'ari_secret_sealed'))
  })
}

export async function isForDialer(app: App, hash: string, signature: string): Promise<boolean> {
  const dialerId = readerOf(signature)
  const dialer = dialerId === null ? undefined : await store.findDialer(app.db, dialerId)
  return dialer !== undefined && isMediaSigned(app.config.secret, dialer, hash, signature)
}

export async function deleteDialer(ctx: Ctx, dialerId: number): Promise<void> {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    const dialer = await store.lockDialer(tx, dialerId)
    if (!dialer) throw new AppError('not_found')
    const trunks = await store.trunkNamesOf(tx, dialerId)
    if (trunks.length > 0) {
      const [which, it] = trunks.length === 1 ? ['trunk', 'it'] : ['trunks', 'them']
      throw conflict('dialerId', `has the ${which} ${namesOf(trunks)}: delete ${it} or move ${it} first`, 'in_use')
    }
    const { calls } = await store.openCallsOf(tx, dialerId)
    if (calls > 0) throw conflict('dialerId', await callsThere(tx, dialerId, 'dialerId', calls), 'in_use')
    await store.updateDialer(tx, dialerId, { deleted_at: app.clock.now() })
    await store.endLease(tx, dialerId)
    await audit(tx, ctx, 'dialer.delete', `dialer ${dialerId}`, { name: dialer.name })
  })
}

/**
 * Declares that a dialer will not answer again (docs/adr/13). The engine that holds its lease then ends the calls, unless the dialer
 * answers first. In that case the calls continue and the declaration is withdrawn.
 */
export async function giveUpDialer(ctx: Ctx, dialerId: number, reason: string): Promise<void> {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    const dialer = await store.lockDialer(tx, dialerId)
    const state = dialer && (await store.findDialerNow(tx, dialerId))
    if (!dialer || !state) throw new AppError('not_found')
    if (dialer.given_up_at !== null) throw conflict('dialerId', 'was given up already', 'given_up')
    if (state.reachable) throw conflict('dialerId', 'answers: there is nothing to give up', 'reachable')
    if (state.comes_back)
      throw conflict('dialerId', 'is coming back at this moment: look again in a few seconds', 'returning')
    const open = await store.openCallsOf(tx, dialerId)
    await store.updateDialer(tx, dialerId, { given_up_at: app.clock.now(), given_up_reason: reason })
    await audit(tx, ctx, 'dialer.giveUp', `dialer ${dialerId}`, { name: dialer.name, reason, ...open })
  })
}

/** Says what to do about the calls that prevent the change. Calls of a dialer that does not answer will not end soon by themselves. */
async function callsThere(tx: Tx, dialerId: number, field: 'dialerIP' | 'dialerId', calls: number): Promise<string> {
  const { reachable = null, given_up_at = null } = (await store.findDialerNow(tx, dialerId)) ?? {}
  if (given_up_at !== null) return `has calls that are being ended (${calls}): try again in a few seconds`
  if (reachable === false) return `does not answer and has calls that are open (${calls}): give it up first`
  return field === 'dialerIP'
    ? `cannot change while calls are up there (${calls}): stop dialling first`
    : `has calls that are up (${calls}): delete it when they have ended`
}

function changeOf(app: App, input: DialerUpdate, before: store.Dialer) {
  const cps = input.cps ?? before.cps
  const channels = input.totalChannels ?? before.channels
  const cpsCap = input.cpsReduction ?? before.cps_reduction
  const channelCap = input.channelReduction ?? before.channel_reduction
  const above = [...capFaults('cpsReduction', cpsCap, cps), ...capFaults('channelReduction', channelCap, channels)]
  if (above.length > 0) throw new AppError('bad_input', above)
  return {
    name: input.dialerName,
    host: input.dialerIP,
    port: input.dialerPort,
    cps,
    channels,
    cps_reduction: cpsCap === cps ? null : cpsCap,
    channel_reduction: channelCap === channels ? null : channelCap,
    ...accessOf(app, input.ari, before),
  }
}

/** The contract compares the fields that were sent; this also checks those left out, which keep their values. */
function capFaults(field: string, cap: number | null, total: number): FieldError[] {
  return cap !== null && cap > total ? [{ field, code: 'invalid', text: moreThanTotal(total) }] : []
}

/** Left out, access stays as it was; a secret left out is kept while the user stays the same. */
function accessOf(app: App, ari: NewDialer['ari'], before: Access): Access {
  if (!ari) {
    const { ari_user, ari_secret_sealed, tls_fingerprint, media_folder, media_url } = before
    return { ari_user, ari_secret_sealed, tls_fingerprint, media_folder, media_url }
  }
  const kept = ari.user === undefined ? null : before.ari_secret_sealed
  return {
    ari_user: ari.user ?? null,
    ari_secret_sealed: ari.secret === undefined ? kept : seal(app.config.secret, ariSecretPurpose, ari.secret),
    tls_fingerprint: ari.tlsFingerprint === undefined ? null : plainFingerprint(ari.tlsFingerprint),
    media_folder: ari.mediaFolder ?? null,
    media_url: ari.mediaUrl ?? null,
  }
}

type At = Pick<store.Dialer, 'driver' | 'host' | 'port' | 'tls_fingerprint'>

async function requireAddress(
  tx: Tx,
  { driver, host, port, tls_fingerprint }: At,
  except: number | null,
): Promise<void> {
  if (!isLoopback(host) && (await demoAccountExists(tx))) throw badField('dialerIP', demoOnlyHere, 'demo')
  if (tls_fingerprint === null && !isNear(host)) throw badField('ari.tlsFingerprint', needsTls, 'required')
  const other = await store.dialerAt(tx, { driver, host, port, except })
  if (other) throw conflict('dialerPort', `is where dialer '${other.name}' is already`, 'taken')
}

const taken = (value: string) => ({ constraint: 'dialer_name', field: 'dialerName', value })

/** The audit log records only whether there is a secret. */
function withoutSecrets({ ari_secret_sealed, ...rest }: Partial<store.Dialer>): Record<string, unknown> {
  return { ...rest, hasSecret: ari_secret_sealed !== null }
}
