import { campaignStatusLabel } from '@ghanti/contract/campaign-status.ts'
import { dialable, phoneDigits } from '@ghanti/contract/phone.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { SipOptions } from '@ghanti/contract/sip-options.ts'
import type { trunkRoutes } from '@ghanti/contract/trunks.ts'
import * as z from 'zod/mini'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import { namesOf } from '../../lib/list-of-names.ts'
import type { Ctx } from '../../http/types.ts'
import { seal } from '../../lib/secrets.ts'
import { audit } from '../audit/actions.ts'
import { updatedFields } from '../audit/rules.ts'
import { requireStillShown } from '../shown-clis/actions.ts'
import { requireContract } from '../contracts/actions.ts'
import { routesOver } from '../call-routes/actions.ts'
import { demoAccountExists } from '../auth/actions.ts'
import { demoOnlyHere, isLoopback } from './rules-address.ts'
import { sipSecretPurpose } from './rules-secrets.ts'
import * as dialers from './store-dialers.ts'
import * as store from './store-trunks.ts'

type NewTrunk = InputOf<typeof trunkRoutes.create>
type TrunkUpdate = InputOf<typeof trunkRoutes.update>
type Sip = Pick<
  store.Trunk,
  | 'sip_host'
  | 'sip_port'
  | 'sip_transport'
  | 'sip_user'
  | 'sip_secret_sealed'
  | 'codecs'
  | 'cli_format'
  | 'cli_header'
  | 'number_strip'
  | 'number_prefix'
  | 'registers'
  | 'sip_options'
  | 'ring_seconds'
  | 'test_number'
>

export async function createTrunk(ctx: Ctx, input: NewTrunk): Promise<number> {
  const { app } = ctx
  const sip = input.sip ? sipOf(app, input.sip, null) : {}
  return app.db.transaction().execute(async (tx) => {
    await requireDialer(tx, input.dialerId)
    await requireHost(tx, input.sip?.host)
    if (input.contractId) await requireContract(tx, input.contractId)
    const trunk = { ...fieldsOf(input), ...sip }
    const trunkId = await refuseTaken(taken(input.trunkName), () => store.insertTrunk(tx, trunk))
    await audit(tx, ctx, 'trunk.create', `trunk ${trunkId}`, withoutSecrets(trunk))
    return trunkId
  })
}

/**
 * The dialer applies it within seconds. A trunk moves to another dialer only while no campaign uses it, because a campaign stays on the
 * dialer it was composed for.
 */
export async function updateTrunk(ctx: Ctx, input: TrunkUpdate): Promise<void> {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    await store.lockClisOf(tx, input.trunkId) // before the trunk, as compose does, so that the two cannot deadlock
    const before = await store.lockTrunk(tx, input.trunkId)
    if (!before) throw new AppError('not_found')
    if (input.contractId && input.contractId !== before.contract_id) await requireContract(tx, input.contractId)
    if (input.dialerId !== before.dialer_id) {
      await requireDialer(tx, input.dialerId)
      await store.lockClisOf(tx, before.id)
      await refuseInUse(tx, before.id, 'dialerId')
      await refuseInRoute(tx, before.id, 'dialerId')
    }
    await requireHost(tx, input.sip?.host)
    const change = { ...fieldsOf(input), ...(input.sip ? sipOf(app, input.sip, before.sip_secret_sealed) : {}) }
    const after = { ...before, ...change }
    const moves = placesOf(after) !== placesOf(before)
    if (moves && isKept(before.sip_secret_sealed, after.sip_secret_sealed))
      throw badField('sip.secret', 'is required again when the address changes', 'required')
    await refuseTaken(taken(input.trunkName), () => store.updateTrunk(tx, before.id, change))
    if (input.sip) await requireStillShown(tx, before.id)
    await audit(tx, ctx, 'trunk.update', `trunk ${before.id}`, updatedFields(before, change, 'sip_secret_sealed'))
  })
}

export async function deleteTrunk(ctx: Ctx, trunkId: number): Promise<void> {
  const { app } = ctx
  await app.db.transaction().execute(async (tx) => {
    await store.lockClisOf(tx, trunkId)
    const trunk = await store.lockTrunk(tx, trunkId)
    if (!trunk) throw new AppError('not_found')
    await refuseInUse(tx, trunkId, 'trunkId')
    await refuseInRoute(tx, trunkId, 'trunkId')
    const clis = await store.lockClisOf(tx, trunkId)
    if (clis.length > 0) {
      const [which, it] = clis.length === 1 ? ['caller ID', 'it'] : ['caller IDs', 'them']
      throw conflict('trunkId', `has the ${which} ${namesOf(clis)}: delete ${it} or move ${it} first`, 'in_use')
    }
    await store.updateTrunk(tx, trunkId, { deleted_at: app.clock.now() })
    await audit(tx, ctx, 'trunk.delete', `trunk ${trunkId}`, { name: trunk.name })
  })
}

function placesOf({ sip_host, sip_options }: Pick<store.Trunk, 'sip_host' | 'sip_options'>): string {
  const { outboundProxy, hosts, byDns } = z.parse(SipOptions, sip_options)
  return JSON.stringify([sip_host, outboundProxy, hosts, byDns])
}

/** A secret was given for one host; for another it must be entered again. */
const isKept = (before: string | null, after: string | null): boolean => before !== null && before === after

async function refuseInUse(tx: Tx, trunkId: number, field: string): Promise<void> {
  const campaigns = await store.unfinishedOver(tx, trunkId)
  if (campaigns.length === 0) return
  const names = campaigns.map(({ name, status }) => `'${name}' (${campaignStatusLabel[status]})`).join(', ')
  throw conflict(field, `is used by ${names}: wait until they are finished or stop them`, 'in_use')
}

async function refuseInRoute(tx: Tx, trunkId: number, field: string): Promise<void> {
  const routes = await routesOver(tx, trunkId)
  if (routes.length > 0) throw conflict(field, `is in the routes ${namesOf(routes)}: take it out first`, 'in_use')
}

async function requireDialer(tx: Tx, dialerId: number): Promise<void> {
  if (!(await dialers.holdDialer(tx, dialerId))) throw badField('dialerId', 'is not a dialer', 'not_found')
}

async function requireHost(tx: Tx, host: string | undefined): Promise<void> {
  if (host !== undefined && !isLoopback(host) && (await demoAccountExists(tx)))
    throw badField('sip.host', demoOnlyHere, 'demo')
}

function fieldsOf(input: NewTrunk) {
  return {
    name: input.trunkName,
    pilot_number: input.pilotNumber,
    dialer_id: input.dialerId,
    channels: input.channels,
    cps: input.cps,
    ...(input.contractId === undefined ? {} : { contract_id: input.contractId || null }),
  }
}

/** `kept`: the current sealed secret, which stays while the user stays the same and no new one is given. */
function sipOf(app: App, sip: NonNullable<NewTrunk['sip']>, kept: string | null): Sip {
  const keptSecret = sip.user === undefined ? null : kept
  return {
    sip_host: sip.host ?? null,
    sip_port: sip.port ?? null,
    sip_transport: sip.transport,
    sip_user: sip.user ?? null,
    sip_secret_sealed: sip.secret === undefined ? keptSecret : seal(app.config.secret, sipSecretPurpose, sip.secret),
    codecs: sip.codecs,
    cli_format: sip.cliFormat,
    cli_header: sip.cliHeader,
    number_strip: sip.numberStrip ?? '',
    number_prefix: sip.numberPrefix ?? '',
    registers: sip.registers,
    sip_options: z.parse(SipOptions, sip),
    ring_seconds: sip.ringSeconds,
    test_number: phoneNumberOf(sip.testNumber),
  }
}

/** E.164 digits; the contract has checked that it can be dialled. */
function phoneNumberOf(written: string | undefined): number | null {
  const phone = written === undefined ? null : dialable(written)
  return phone && phoneDigits(phone)
}

const taken = (value: string) => ({ constraint: 'trunk_name', field: 'trunkName', value })

/** The audit log records only whether there is a secret. */
function withoutSecrets({ sip_secret_sealed, ...rest }: Partial<store.Trunk>): Record<string, unknown> {
  return { ...rest, hasSecret: typeof sip_secret_sealed === 'string' }
}
