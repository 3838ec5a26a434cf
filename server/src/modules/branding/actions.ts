import { readFile } from 'node:fs/promises'
import type { Branding } from '@ghanti/contract/branding.ts'
import { waitingDomainsMax } from '@ghanti/contract/brands.ts'
import { notSupported } from '@ghanti/contract/messages.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import { refusedType } from '../../http/requests/refused-type.ts'
import type { Ctx, StagedFile } from '../../http/types.ts'
import { comparable } from '../../lib/host-name.ts'
import { audit } from '../audit/actions.ts'
import { demoAccountExists } from '../auth/actions.ts'
import { forgetFile, keepFile, type FilesTx } from '../files/actions.ts'
import { domainOf } from './rules-domain.ts'
import { isLogoType, logoEnding, type LogoType } from './rules-logo.ts'
import { logoIn } from './worker.ts'
import * as store from './store.ts'

/** The platform's name until someone gives it another. */
const platformName = 'Ghanti'

/** The brand that a host name shows; an unknown host shows the platform's. */
export async function brandOfHost(app: Pick<App, 'db'>, hostname: string): Promise<Branding> {
  const found = (await store.byHost(app.db, comparable(hostname))) ?? (await store.ofPlatform(app.db))
  const demo = await demoAccountExists(app.db)
  if (!found) return { company: platformName, logoUrl: null, primaryColour: null, demo }
  const { company, primaryColour } = found
  return { company, logoUrl: logoUrlOf(found), primaryColour, demo }
}

/** As a page of an account shows it. The logo's bytes are null where there is none, or none that a PDF can show. */
type AccountBrand = { company: string; colour: string | null; logo: Uint8Array | null }

/** The brand of an account, else of the nearest account above that has one, else the platform's. */
export async function brandOfAccount(app: Pick<App, 'db' | 'files'>, userId: number): Promise<AccountBrand> {
  const found = (await store.nearestAbove(app.db, userId)) ?? (await store.ofPlatform(app.db))
  if (!found) return { company: platformName, colour: null, logo: null }
  const { company, primaryColour, logoHash, logoType } = found
  const isPrintable = logoHash !== null && (logoType === 'image/png' || logoType === 'image/jpeg')
  const logo = isPrintable ? await readFile(await app.files.pathOf(logoHash)).catch(() => null) : null
  return { company, colour: primaryColour, logo }
}

/** The URL contains the content's hash, so browsers may cache it for ever. */
export function logoUrlOf({ logoHash, logoType }: Pick<store.Brand, 'logoHash' | 'logoType'>): string | null {
  if (logoHash === null || logoType === null || !isLogoType(logoType)) return null
  return `/api/obd/logo/${logoHash}.${logoEnding[logoType]}`
}

/** A validated logo, which saveBrand stores. */
export type Logo = { bytes: Uint8Array; type: LogoType }

/** Checks the content, never the name or the declared type. Called before the transaction, because files are slow. */
export async function readLogo(file: StagedFile): Promise<Logo> {
  const found = await logoIn(file.path)
  if (found.kind === 'refused') throw badField('logo', found.why, found.code)
  if (found.kind === 'foreign') {
    const text =
      found.type === 'image/svg+xml'
        ? 'is an SVG drawing, which can hold a script: only PNG, JPEG, WebP and GIF pictures are taken'
        : 'is not a PNG, JPEG, WebP or GIF picture by its content'
    throw new AppError('not_supported', [{ field: 'logo', code: 'not_supported', text }], {
      message: notSupported(refusedType(file.declaredType, found.type, Object.keys(logoEnding))),
    })
  }
  return { type: found.type, bytes: await readFile(file.path) }
}

/** Undefined leaves a field as it is, null removes it. `userId` null: the platform's brand, which has no domain. */
export type BrandChange = {
  userId: number | null
  company?: string | undefined
  /** As typed. It works once the super admin confirms it, or at once if the super admin sets it; until then the previous one does. */
  domain?: string | null | undefined
  logo?: Logo | null | undefined
  primaryColour?: string | null | undefined
}

/** The caller checks that the viewer may change the account. */
export async function saveBrand(tx: FilesTx, ctx: Ctx, change: BrandChange): Promise<void> {
  const { userId, company, domain, logo, primaryColour } = change
  if (userId !== null && !(await store.holdAccount(tx, userId))) throw new AppError('not_found')
  const hostname = domain === undefined || domain === null ? domain : await usableDomain(tx, ctx, domain)
  if (typeof hostname === 'string') await store.lockHostname(tx, hostname)
  await store.saveLook(tx, userId, {
    ...(company === undefined ? {} : { company }),
    ...(primaryColour === undefined ? {} : { primaryColour }),
  })
  if (hostname !== undefined) {
    if (userId === null) throw badField('domain', 'belongs to accounts: the platform answers on every other name')
    await changeDomain(tx, ctx, userId, hostname)
  }
  if (logo !== undefined) await replaceLogo(tx, ctx, userId, logo)
  const words = { company, domain: hostname, primaryColour, logo: logo === null ? 'removed' : logo && 'new' }
  await audit(tx, ctx, 'brand.update', userId === null ? 'platform' : `user ${userId}`, words)
}

/** Counts against the account that sends it, also for one below; one that a super admin sends, against the brand's own. */
async function replaceLogo(tx: FilesTx, { app, viewer }: Ctx, userId: number | null, logo: Logo | null): Promise<void> {
  const replaced = await store.logoOf(tx, userId)
  if (replaced.hash !== null) forgetFile(tx, replaced.hash)
  if (logo === null) return store.saveLogo(tx, userId, null)
  const sender = viewer.role === 'superAdmin' ? userId : viewer.userId
  const own = replaced.sender === sender && replaced.bytes !== null ? [replaced.bytes] : []
  const room = sender === null ? 'platform' : { ownerId: sender, field: 'logo', replaced: own }
  const hash = await keepFile(tx, app.files, logo.bytes, room)
  await store.saveLogo(tx, userId, { hash, type: logo.type, bytes: logo.bytes.length, sender })
}

/** Of an account that is deleted. */
export async function removeLogo(tx: FilesTx, ctx: Ctx, userId: number): Promise<void> {
  await replaceLogo(tx, ctx, userId, null)
}

async function usableDomain(tx: Tx, { app }: Ctx, typed: string): Promise<string> {
  // The demo has two host names. One is the platform's, the other may be given to an account.
  if (comparable(typed.trim()) === 'localhost' && (await demoAccountExists(tx))) return 'localhost'
  const domain = domainOf(typed)
  if ('wrong' in domain) throw badField('domain', domain.wrong)
  if (domain.hostname === new URL(app.config.publicUrl).hostname)
    throw badField('domain', 'is the platform’s own', 'taken')
  return domain.hostname
}

async function changeDomain(tx: Tx, ctx: Ctx, userId: number, hostname: string | null): Promise<void> {
  if (hostname === null || hostname === (await store.workingDomain(tx, userId)))
    return store.removeDomains(tx, userId, hostname)
  if (await store.isAnothers(tx, userId, hostname)) throw conflict('domain', 'is another account’s domain', 'taken')
  const { viewer } = ctx
  await store.claim(tx, { userId, hostname, askedBy: viewer.userId })
  if (viewer.role === 'superAdmin') return void (await confirmFor(tx, ctx, { userId, hostname }))
  if ((await store.countWaiting(tx, viewer.userId)) <= waitingDomainsMax) return
  throw conflict('domain', `is one too many: ${waitingDomainsMax} domains that you asked for wait`, 'too_many')
}

type Claim = { userId: number; hostname: string }

/** The domain now works, and whoever else waits for it is refused. False when the account does not wait for it. */
async function confirmFor(tx: Tx, { app, viewer }: Ctx, claim: Claim): Promise<boolean> {
  const by = { userId: viewer.userId, at: app.clock.now() }
  if (!(await store.confirm(tx, claim, by))) return false
  for (const userId of await store.othersWaiting(tx, claim.hostname))
    await store.refuse(tx, { userId, hostname: claim.hostname }, { reason: null, at: by.at })
  return true
}

export async function confirmDomain(ctx: Ctx, domainId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const claim = await requireClaim(tx, domainId)
    if (!(await confirmFor(tx, ctx, claim))) throw new AppError('not_found')
    await audit(tx, ctx, 'domain.confirm', `user ${claim.userId}`, { domain: claim.hostname })
  })
}

export async function refuseDomain(
  ctx: Ctx,
  { domainId, reason }: { domainId: number; reason: string },
): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const claim = await requireClaim(tx, domainId)
    if (!(await store.refuse(tx, claim, { reason, at: ctx.app.clock.now() }))) throw new AppError('not_found')
    await audit(tx, ctx, 'domain.refuse', `user ${claim.userId}`, { domain: claim.hostname, reason })
  })
}

/** Nobody else decides about its domain meanwhile. */
async function requireClaim(tx: Tx, domainId: number): Promise<Claim> {
  const claim = await store.claimOf(tx, domainId)
  if (!claim) throw new AppError('not_found')
  await store.lockHostname(tx, claim.hostname)
  return claim
}
