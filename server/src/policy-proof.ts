import type { RouteKey } from '@ghanti/contract/routes.ts'
import { AppError } from './errors.ts'
import type { Viewer } from './policy.ts'

/**
 * What a stolen session must not reach: what moves money, gives others access, opens lines, or takes people's data away in bulk. Such a request is
 * refused unless the session was proved a few minutes ago, by a sign-in or by `POST /api/obd/proof`.
 */
export const stepUp: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'credits.add',
  'credits.remove',
  'users.register', // it may be given credits
  'users.registerWithBrand',
  'users.delete', // its balance goes to the account above
  'users.update', // the address, to which links for a new password go
  'users.resetPassword',
  'freezing.freeze', // which lifts, too
  'plans.add',
  'plans.setStatus',
  'plans.delete',
  'factors.beginTotp',
  'factors.addTotp',
  'factors.passkeyOptions',
  'factors.addPasskey',
  'factors.makeRecovery',
  'factors.remove',
  'factors.removeAll',
  'keys.create',
  'keys.roll',
  'hooks.create', // what it is told goes to its address
  'hooks.update',
  'hooks.rotate',
  'trunks.create',
  'trunks.update',
  'trunks.delete',
  'dialers.create',
  'dialers.update',
  'dialers.giveUp',
  'dialers.delete',
  'smsGateways.create',
  'smsGateways.update',
  'smsGateways.enable',
  'smsGateways.delete',
  'contracts.create',
  'contracts.update',
  'contracts.delete',
  'brands.save', // its domain
  'brands.confirmDomain',
  'brands.refuseDomain',
  'settings.save',
  'users.listCsv',
  'exports.ask',
  'exports.download',
  'callReport.exportCsv',
  'callReport.archivedCsv',
  'smsCampaigns.reportCsv',
  'smsCampaigns.archivedCsv',
  'reports.zip',
  'voiceCampaigns.refusedCsv',
  'smsCampaigns.refusedCsv',
  'contacts.refusedFile',
  'blacklist.refusedFile',
  'contacts.download',
  'retention.archive',
])
/** Lists that need it as a file alone. */
const stepUpAsCsv: ReadonlySet<RouteKey> = new Set<RouteKey>([
  'users.superAdmins',
  'callReport.list',
  'callReport.ofCampaign',
  'smsInbox.list',
  'smsCampaigns.unapproved',
  'blacklist.list',
])

export const needsProof = (route: RouteKey, isCsv: boolean): boolean =>
  stepUp.has(route) || (isCsv && stepUpAsCsv.has(route))

/** Throws 403 when the session was proved too long ago. Of a key its scope is asked for instead (policy-keys.ts). */
export function requireProof({ provedAt, key }: Viewer, minutes: number, now: Date): void {
  if (key) return
  if (provedAt && now.getTime() - provedAt.getTime() < minutes * 60_000) return
  throw new AppError('not_allowed', [
    { field: 'account', code: 'proof_needed', text: 'needs a fresh proof that it is you' },
  ])
}
