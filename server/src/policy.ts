import type { Lacking } from '@ghanti/contract/sessions.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { RouteKey } from '@ghanti/contract/routes.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db/db.ts'
import { isInTree } from './db/search/users.ts'
import { AppError, badField } from './errors.ts'
import { accountPolicy } from './policy-accounts.ts'
import { keyScopeOf, requireKeyScope } from './policy-keys.ts'
import { requireComplete } from './policy-lacking.ts'
import { everyone, smsPolicy } from './policy-sms.ts'

/** Who is signed in, from the session. */
export type Viewer = {
  userId: number
  username: string
  role: Role
  parentId: number | null
  /** Which of the account's sessions it is. Absent outside requests. */
  sessionId?: number
  /** What the session lacks. It reaches only what gives it. */
  must?: Lacking
  /** The key that a program showed instead of a session. */
  key?: {
    keyId: number
    name: string
    scopes: ReadonlySet<string>
    networks: readonly string[] | null
    usedAt: Date | null
  }
  /** When the session was last proved to be its owner's: by the sign-in, or since. Absent outside requests. */
  provedAt?: Date
}

declare const made: unique symbol
/** What a query may see. Only this file makes one, and only `within` turns it into SQL. */
export type Scope = { readonly [made]: true } & (
  | { readonly kind: 'own'; readonly userId: number }
  | { readonly kind: 'subtree'; readonly userId: number }
  | { readonly kind: 'platform' }
)

type ScopeShape = { kind: 'own' | 'subtree'; userId: number } | { kind: 'platform' }
const make = (shape: ScopeShape): Scope => shape as Scope

/** The viewer's own objects, whatever the role. */
export const ownScope = (viewer: Viewer): Scope => make({ kind: 'own', userId: viewer.userId })

/** Everything that the role may read: own, subtree, platform (docs/api.md#who-may-do-what). */
export function scopeOf(viewer: Viewer): Scope {
  if (viewer.role === 'superAdmin') return make({ kind: 'platform' })
  return make({ kind: viewer.role === 'reseller' ? 'subtree' : 'own', userId: viewer.userId })
}

/** For `where`: whether the row's owner in `ownerColumn` is inside the scope. */
export function within(scope: Scope, ownerColumn: string): RawBuilder<boolean> {
  if (scope.kind === 'platform') return sql<boolean>`true`
  if (scope.kind === 'own') return sql<boolean>`${sql.ref(ownerColumn)} = ${scope.userId}`
  return isInTree(scope.userId, sql.ref(ownerColumn))
}

/** The account that a scope is made of, whose owner a question within it names. */
export const namedBy = (scope: Scope): number[] => (scope.kind === 'platform' ? [] : [scope.userId])

/** For `where`: whether somebody inside the scope did it. `path` is the column with the doer and the doer's ancestors. */
export function doneWithin(scope: Scope, { doer, path }: { doer: string; path: string }): RawBuilder<boolean> {
  return scope.kind === 'subtree' ? sql<boolean>`${sql.ref(path)} @> array[${scope.userId}::int]` : within(scope, doer)
}

/** For `where`: whether it concerns something of somebody inside the scope. False for the platform, which sees everything that is done anyway. */
export function concerns(scope: Scope, { owner, path }: { owner: string; path: string }): RawBuilder<boolean> {
  if (scope.kind === 'platform') return sql<boolean>`false`
  return scope.kind === 'own'
    ? sql<boolean>`${sql.ref(owner)} = ${scope.userId}`
    : sql<boolean>`${sql.ref(owner)} is not null and ${sql.ref(path)} @> array[${scope.userId}::int]`
}

/** For `where` on accounts themselves, by the path of each, without reading other rows. */
export function withinTree(scope: Scope, users: string): RawBuilder<boolean> {
  if (scope.kind === 'platform') return sql<boolean>`true`
  if (scope.kind === 'own') return sql<boolean>`${sql.ref(`${users}.id`)} = ${scope.userId}`
  return sql<boolean>`${sql.ref(`${users}.path`)} @> array[${scope.userId}::int]`
}

/** `{userId}` in a path: the own id is all that the role may read, a descendant's that account only, others a 404 (docs/api.md#the-userid-in-a-path). */
export async function scopeOfPath(db: Db, viewer: Viewer, userId: number): Promise<Scope> {
  if (userId === viewer.userId) return scopeOf(viewer)
  const seen = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .where(within(scopeOf(viewer), 'users.id'))
    .executeTakeFirst()
  if (!seen) throw new AppError('not_found')
  return make({ kind: 'own', userId })
}

/** The scope of a list filtered by an account: that one, deleted or not, and all below. One outside of `scope` is refused as if it did not exist. */
export async function scopeOfFilter(db: Db, scope: Scope, field: string, userId: number | undefined): Promise<Scope> {
  if (userId === undefined) return scope
  const seen = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(within(scope, 'users.id'))
    .executeTakeFirst()
  if (!seen) throw noSuchAccount(field)
  return make({ kind: 'subtree', userId })
}

/** Like scopeOfFilter, by the account's name. */
export async function scopeOfName(db: Db, scope: Scope, field: string, username: string | undefined): Promise<Scope> {
  if (username === undefined) return scope
  const seen = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .where('deleted_at', 'is', null)
    .where(within(scope, 'users.id'))
    .executeTakeFirst()
  if (!seen) throw noSuchAccount(field)
  return make({ kind: 'subtree', userId: seen.id })
}

/** The same error for accounts that do not exist and those of others. */
export const noSuchAccount = (field: string) => badField(field, 'is not an account that you may see', 'not_found')

/** Refuses to narrow anything by what only super admins see. Otherwise the rows that remain would tell it. */
export const forSuperAdmins = (field: string) =>
  new AppError('not_allowed', [{ field, code: 'not_allowed', text: 'is for super admins only' }])

/**
 * Who may call what; the routes of accounts are in policy-accounts.ts, those of messages in policy-sms.ts. A route without a line does not compile; 'public' needs no session. The
 * scope decides about ownership.
 */
export const policy = {
  ...accountPolicy,
  ...smsPolicy,
  'customers.detail': ['reseller', 'superAdmin'],
  'calendar.range': everyone,
  'overview.own': ['user', 'reseller'],
  'overview.start': everyone,
  'overview.reseller': ['reseller'],
  'overview.platform': ['superAdmin'],
  'prompts.categories': everyone,
  'prompts.upload': ['user', 'reseller'],
  'prompts.listAll': ['superAdmin'],
  'prompts.listOfCustomers': ['reseller'],
  'prompts.list': everyone,
  'prompts.delete': everyone,
  'prompts.approve': ['superAdmin'],
  'prompts.reject': ['superAdmin'],
  'prompts.approveMany': ['superAdmin'],
  'prompts.rejectMany': ['superAdmin'],
  'prompts.listen': everyone,
  'prompts.sound': 'public',
  'voices.list': everyone,
  'voices.create': everyone,
  'voices.wordList': everyone,
  'voices.upload': everyone,
  'voices.deleteWord': everyone,
  'voices.approve': ['superAdmin'],
  'voices.reject': ['superAdmin'],
  'voices.detail': everyone,
  'voices.delete': everyone,
  'voices.listen': everyone,
  'speech.voices': everyone,
  'contacts.bases': everyone,
  'contacts.paste': ['user'],
  'contacts.baseUpload': ['user'],
  'contacts.add': ['user'],
  'contacts.detail': ['user'],
  'contacts.download': ['user'],
  'contacts.look': everyone,
  'contacts.columns': ['user'],
  'contacts.update': ['user'],
  'contacts.delete': ['user'],
  'contacts.deleteMany': ['user'],
  'contacts.sample': 'public',
  'contacts.refusedFile': everyone,
  'baseFrom.make': ['user'],
  'baseFrom.progress': ['user'],
  'blacklist.list': everyone,
  'blacklist.check': everyone,
  'blacklist.add': everyone,
  'blacklist.delete': everyone,
  'blacklist.deleteMany': everyone,
  'blacklist.upload': everyone,
  'blacklist.refusedFile': everyone,
  'lines.all': ['superAdmin'],
  'lines.clisOfUser': everyone,
  'lines.allocated': ['reseller', 'superAdmin'],
  'lines.exportCsv': everyone,
  'lines.available': ['reseller', 'superAdmin'],
  'lines.takers': ['reseller', 'superAdmin'],
  'lines.add': ['superAdmin'],
  'lines.update': ['superAdmin'],
  'lines.allocate': ['reseller', 'superAdmin'],
  'lines.deallocate': ['reseller', 'superAdmin'],
  'lines.deallocateMany': ['reseller', 'superAdmin'],
  'lines.delete': everyone,
  'lines.deleteMany': everyone,
  'lines.upload': ['superAdmin'],
  'dialers.choices': ['superAdmin'],
  'dialers.list': ['superAdmin'],
  'dialers.create': ['superAdmin'],
  'dialers.detail': ['superAdmin'],
  'dialers.update': ['superAdmin'],
  'dialers.giveUp': ['superAdmin'],
  'dialers.delete': ['superAdmin'],
  'traces.ofCall': ['superAdmin'],
  'traces.ofTest': ['superAdmin'],
  'traces.download': ['superAdmin'],
  'traces.quality': ['superAdmin'],
  'trunks.list': ['superAdmin'],
  'trunks.create': ['superAdmin'],
  'trunks.detail': ['superAdmin'],
  'trunks.update': ['superAdmin'],
  'trunks.delete': ['superAdmin'],
  'trunks.test': ['superAdmin'],
  'trunks.testResult': ['superAdmin'],
  'trunkDispositions.list': ['superAdmin'],
  'trunkDispositions.add': ['superAdmin'],
  'trunkDispositions.delete': ['superAdmin'],
  'voiceCampaigns.compose': ['user'],
  'voiceCampaigns.edit': ['user'],
  'voiceCampaigns.preview': ['user'],
  'voiceCampaigns.list': everyone,
  'voiceCampaigns.exportCsv': everyone,
  'voiceCampaigns.detail': everyone,
  'voiceCampaigns.attempts': everyone,
  'voiceCampaigns.refusedCsv': everyone,
  'voiceCampaigns.stop': everyone,
  'voiceCampaigns.pause': everyone,
  'voiceCampaigns.resume': everyone,
  'voiceCampaigns.stopMany': everyone,
  'voiceCampaigns.pauseMany': everyone,
  'voiceCampaigns.resumeMany': everyone,
  'voiceCampaigns.retry': ['user'],
  'voiceCampaigns.events': everyone,
  'previewCalls.composed': ['user'],
  'previewCalls.ofCampaign': everyone,
  'previewCalls.hear': everyone,
  'answers.ofCampaign': everyone,
  'answers.keysCsv': everyone,
  'answers.dropOffCsv': everyone,
  'testCalls.composed': ['user'],
  'testCalls.ofCampaign': ['user'],
  'testCalls.detail': ['user'],
  'testCalls.stop': ['user'],
  'followups.begin': ['user'],
  'followups.detail': ['user'],
  'followups.stop': ['user'],
  'callReport.list': everyone,
  'callReport.ofCampaign': everyone,
  'callReport.exportCsv': everyone,
  'insight.calls': everyone,
  'insight.messages': everyone,
  'insight.callsCsv': everyone,
  'insight.messagesCsv': everyone,
  'recordings.listen': everyone,
  'callReport.recordings': everyone,
  'recordings.delete': ['user', 'superAdmin'],
  'recordings.keepDays': ['user'],
  'recordingNotice.read': ['superAdmin'],
  'recordingNotice.turn': ['superAdmin'],
  'recordingNotice.upload': ['superAdmin'],
  'recordingNotice.speak': ['superAdmin'],
  'recordingNotice.listen': ['superAdmin'],
  'summaries.pdf': everyone,
  'summaries.csv': everyone,
  'summaryMails.read': ['user'],
  'summaryMails.save': ['user'],
  'summaryMails.addAddress': ['user'],
  'summaryMails.removeAddress': ['user'],
  'summaryMails.confirm': 'public',
  'summaryMails.stop': 'public',
  'summaryMails.send': ['user'],
  'reports.generate': everyone,
  'reports.download': everyone,
  'reports.zip': everyone,
  'retention.archiveCalls': ['user'],
  'retention.archiveMessages': ['user'],
  'retention.archives': ['superAdmin'],
  'retention.archive': ['superAdmin'],
  'callReport.archivedCsv': everyone,
  'smsCampaigns.archivedCsv': everyone,
  'retention.deleteCalls': ['user'],
  'retention.deleteMessages': ['user'],
  'exports.ask': everyone,
  'exports.list': everyone,
  'exports.download': everyone,
  'exports.delete': everyone,
  'plans.pulses': everyone,
  'plans.add': ['reseller', 'superAdmin'],
  'plans.own': everyone,
  'plans.list': everyone,
  'plans.choices': ['reseller', 'superAdmin'],
  'plans.setStatus': ['reseller', 'superAdmin'],
  'plans.delete': ['reseller', 'superAdmin'],
  'credits.add': ['reseller', 'superAdmin'],
  'credits.remove': ['reseller', 'superAdmin'],
  'credits.account': ['reseller', 'superAdmin'],
  'credits.statement': everyone,
  'credits.statementCsv': everyone,
  'credits.children': ['reseller', 'superAdmin'],
  'credits.historyOfUser': everyone,
  'credits.history': everyone,
  'credits.historyCsv': everyone,
  'notices.list': everyone,
  'notices.read': everyone,
  'notices.readMany': everyone,
  'notices.readAll': everyone,
  'notices.choices': everyone,
  'notices.choose': everyone,
  'mail.sendAgain': everyone,
  'callingHours.platform': ['superAdmin'],
  'callingHours.save': ['superAdmin'],
  'callingHours.exceptions': ['superAdmin'],
  'callingHours.saveException': ['superAdmin'],
  'callingHours.removeException': ['superAdmin'],
  'repeats.list': ['user'],
  'repeats.detail': ['user'],
  'repeats.days': ['user'],
  'repeats.next': ['user'],
  'repeats.create': ['user'],
  'repeats.pause': ['user'],
  'repeats.resume': ['user'],
  'repeats.end': ['user'],
  'repeats.delete': ['user'],
  'setups.list': ['user'],
  'setups.detail': ['user'],
  'setups.save': ['user'],
  'setups.saveFrom': ['user'],
  'setups.rename': ['user'],
  'setups.delete': ['user'],
  'savedViews.list': everyone,
  'savedViews.save': everyone,
  'savedViews.rename': everyone,
  'savedViews.setDefault': everyone,
  'savedViews.delete': everyone,
  'audit.list': everyone,
  'audit.csv': everyone,
  'platform.dialBlocks': ['superAdmin'],
  'platform.dialTargets': ['superAdmin'],
  'platform.dialEffect': ['superAdmin'],
  'platform.stopDialling': ['superAdmin'],
  'platform.allowDialling': ['superAdmin'],
  'settings.read': ['superAdmin'],
  'settings.save': ['superAdmin'],
  'alerts.list': ['superAdmin'],
  'alerts.clear': ['superAdmin'],
  'alerts.clearMany': ['superAdmin'],
  'find.find': everyone,
  'callRoutes.list': ['superAdmin'],
  'callRoutes.create': ['superAdmin'],
  'callRoutes.update': ['superAdmin'],
  'callRoutes.delete': ['superAdmin'],
  'contracts.list': ['superAdmin'],
  'contracts.create': ['superAdmin'],
  'contracts.update': ['superAdmin'],
  'contracts.delete': ['superAdmin'],
  'lines.route': ['superAdmin'],
  'lines.addGroup': ['superAdmin'],
  'lines.updateGroup': ['superAdmin'],
  'lines.group': ['superAdmin'],
  'find.number': everyone,
} as const satisfies Record<RouteKey, 'public' | readonly Role[]>

/** Called by mount before every handler: 403 when the role may not, or while the session lacks something. */
export function authorize(viewer: Viewer, route: RouteKey): void {
  const allowed: 'public' | readonly Role[] = policy[route]
  if (allowed === 'public') return
  if (!allowed.includes(viewer.role)) throw new AppError('not_allowed')
  requireComplete(viewer.must, route)
  requireKeyScope(viewer.key, keyScopeOf[route])
}
