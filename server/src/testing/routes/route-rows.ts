/**
 * One row for each route of the contract: what a request with nothing wrong in it names and says, and whose objects may be named. Two tests read
 * it: http/authorisation.test.ts asks every route as everybody about everybody's objects; http/garbage.test.ts breaks one field at a time.
 *
 * A new route needs its row (else this file does not compile):
 *   on      the object acted on: the field of path or body that names it and what it is (route-fixtures.ts; make a new RouteFixture when none fits).
 *           By the rule a user reaches their own, a reseller their own and those of all below, a super admin all; the policy says which roles
 *           come in at all. Everybody else's and missing ones are 404, and read the same to the byte.
 *   names   further objects in the body, each the viewer's own: somebody else's and missing ones are 400 naming the field.
 *   fields  what else it says; only where `plainFields`, which is by the field's name, does not serve.
 *   except  where the answer is another than the rule's, by role and relation of viewer and owner. Each with its reason.
 *   ok      what success answers, if not 200.
 */
import type { Role } from '@ghanti/contract/roles.ts'
import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Viewer } from '../../policy.ts'
import type { Fields, ListedRoute } from '../requests.ts'
import { dashboardRows } from './route-rows-dashboards.ts'
import { factorRows } from './route-rows-factors.ts'
import { hookRows } from './route-rows-hooks.ts'
import { keyRows } from './route-rows-keys.ts'
import { fileRows } from './route-rows-files.ts'
import { callRouteRows } from './route-rows-call-routes.ts'
import { freezingRows } from './route-rows-freezing.ts'
import { planRows } from './route-rows-plans.ts'
import { repeatRows, setupRows } from './route-rows-setups.ts'
import { sessionRows } from './route-rows-sessions.ts'
import { smsLineRows } from './route-rows-sms.ts'
import { traceRows } from './route-rows-traces.ts'
import { seededPassword } from '../seed.ts'
import * as lines from './route-fixtures-lines.ts'
import { singleCallRows } from './route-fixtures-followup.ts'
import * as messages from './route-fixtures-messages.ts'
import * as fixtures from './route-fixtures.ts'

/** The owner's relation to the viewer: `deeper` is below the viewer's children, `above` an account over the viewer. */
export type Relation = 'own' | 'child' | 'deeper' | 'above' | 'stranger' | 'missing'
export type Row = {
  on?: readonly [field: string, fixture: fixtures.RouteFixture]
  names?: Readonly<Record<string, fixtures.RouteFixture>>
  fields?: Fields | ((viewer: Viewer, fresh: string) => Fields)
  except?: Partial<Record<Role, Partial<Record<Relation, number>>>>
  ok?: number
  /** `on` names several objects: the answer is 200 with the status of each (contract/src/bulk.ts). */
  each?: true
}

const ofAccount: Row = { on: ['userId', fixtures.account] }
/** The viewer's own and direct children's (docs/api.md#who-may-do-what). */
const ofHistory: Row = { ...ofAccount, except: { reseller: { deeper: 404 } } }
/** The direct parent moves credits, and a super admin for all below. A deeper account exists for the reseller, but is refused. */
const ofRecharge: Row = { ...ofAccount, except: { reseller: { own: 403, deeper: 403 }, superAdmin: { own: 403 } } }
const ofCalls: Row = {
  ...ofAccount,
  fields: { from: '2026-11-20 00:00:00', to: '2026-11-20 23:59:59', kind: 'campaign', key: '1', username: undefined },
}
const ofCampaign: Row = { on: ['campaignId', fixtures.campaign()] }
const ofSmsCampaign: Row = { on: ['campaignId', messages.campaign] }
const ofHeardCampaign: Row = { on: ['campaignId', fixtures.heardCampaign] }
/** A reseller's plans are the reseller's alone. */
const ofPlan: Row = { on: ['planId', fixtures.plan], except: { reseller: { child: 404, deeper: 404 } } }
/** Nobody may touch another's blacklist or notices, not even from above. */
const onlyOwn = { reseller: { child: 404, deeper: 404 }, superAdmin: { child: 404, deeper: 404 } }
/** Only the parent may. Others above see the account, so it exists for them. */
const ofChild = {
  on: ['userId', fixtures.childOf],
  except: { reseller: { child: 403, deeper: 403 }, superAdmin: { child: 403, deeper: 403 } },
} as const satisfies Row
/** The parent may, and a super admin for everybody below. */
const ofBelow: Row = { on: ofChild.on, except: { reseller: ofChild.except.reseller } }
/** A super admin gives within what the parent may give: no plan of the platform, and no channels where none are left. */
const noPlanOfIts: Row = { ...ofBelow, except: { ...ofBelow.except, superAdmin: { child: 400, deeper: 400 } } }
const noneLeft: Row = { ...ofBelow, except: { ...ofBelow.except, superAdmin: { child: 400 } } }
/** Whoever may listen to a pack sees it. Only its owner changes it. */
const notTheirs = { child: 403, deeper: 403 }
const ofPack: Row = { on: ['packId', fixtures.voicePack], except: { reseller: notTheirs, superAdmin: notTheirs } }
const prompts = { welcomePId: fixtures.prompt, menuPId: fixtures.prompt, noInputPId: fixtures.prompt }
const played: Row = {
  names: { baseId: fixtures.base, ...prompts, wrongInputPId: fixtures.prompt, thanksPId: fixtures.prompt },
  fields: { templateId: 2 },
}
const numbers = ['9841000009']
const composed: Row = { ...played, names: { ...played.names, cli: lines.cli } }

/** A super admin has no hours. */
const callsNobody = { superAdmin: { own: 404 } }
const ofLog = { action: 'campaign.stop', target: 'campaign 1', from: '2026-11-20 00:00:00', to: undefined }
const ofView = { list: '/api/obd/campaign/:userId', query: 'search=Tihar' }
const ofOwnView: Row = { on: ['viewId', fixtures.savedView], except: onlyOwn }

export const rows: Record<RouteKey, Row> = {
  'auth.login': { fields: (viewer) => ({ username: viewer.username, password: seededPassword }) },
  'auth.logout': {},
  'auth.resetPwd': { fields: ({ username }) => ({ username }) },
  'auth.updatePwd': { names: { token: fixtures.resetLink }, fields: { password: 'a new password' } },
  'auth.verifyMail': { names: { token: fixtures.verificationLink } },
  'auth.session': {},
  ...sessionRows,
  ...factorRows,
  ...keyRows,
  ...hookRows,
  'sessions.end': { on: ['sessionId', fixtures.session], except: onlyOwn },
  'branding.byHost': {},
  'branding.logo': { ok: 404 }, // nobody has one here
  'brands.own': {},
  'brands.save': { fields: ({ role }) => (role === 'superAdmin' ? { domain: undefined } : {}) }, // the platform has none
  'brands.domains': {},
  'brands.confirmDomain': { on: ['domainId', fixtures.waitingDomain] },
  'brands.refuseDomain': { on: ['domainId', fixtures.waitingDomain] },
  'users.list': ofAccount,
  'users.choices': { fields: { userId: undefined } },
  'users.listCsv': ofAccount,
  'users.register': { names: { planId: fixtures.plan, clis: lines.clis } },
  'users.registerWithBrand': { names: { planId: fixtures.plan, clis: lines.clis } },
  'users.update': { ...noPlanOfIts, names: { planId: fixtures.plan } },
  'users.delete': ofChild,
  'users.disable': ofBelow,
  'users.disabling': ofAccount,
  ...freezingRows,
  'users.superAdmins': {},
  'users.readPassword': ofBelow,
  'users.resetPassword': { ...ofBelow, fields: { password: 'a new password' } },
  'users.channels': ofAccount,
  'users.changeChannels': noneLeft,
  'users.profile': ofAccount,
  'quotas.ofAccount': ofAccount,
  'users.dashboard': ofAccount,
  'prompts.categories': {},
  'prompts.upload': {},
  'prompts.listAll': {},
  'prompts.listOfCustomers': {},
  'prompts.list': ofAccount,
  'prompts.delete': {
    on: ['promptId', fixtures.prompt],
    except: { reseller: { child: 403, deeper: 403 } }, // a reseller may listen to them, so they are there
  },
  'prompts.approve': { on: ['promptId', fixtures.pendingPrompt] },
  'prompts.reject': { on: ['promptId', fixtures.pendingPrompt] },
  'prompts.approveMany': { on: ['promptIds', fixtures.several(fixtures.pendingPrompt)], each: true },
  'prompts.rejectMany': { on: ['promptIds', fixtures.several(fixtures.pendingPrompt)], each: true },
  'prompts.listen': { on: ['userId', fixtures.listened], fields: { fileName: 'heard.wav' } },
  'prompts.sound': { ok: 404 }, // the signature is not the right one
  'voices.list': {},
  'voices.create': { fields: (_, fresh) => ({ name: fresh }) },
  'voices.wordList': {},
  'voices.upload': { ...ofPack, fields: { key: '7' } },
  'voices.deleteWord': { ...ofPack, fields: { key: '1' } },
  'voices.approve': { on: ['packId', fixtures.voicePack] },
  'voices.reject': { on: ['packId', fixtures.voicePack] },
  'voices.detail': { on: ['packId', fixtures.voicePack] },
  'voices.delete': { on: ['packId', fixtures.voicePack], except: { reseller: notTheirs } },
  'voices.listen': { on: ['packId', fixtures.voicePack], fields: { key: '1', which: 'pending' } },
  'speech.voices': {},
  'contacts.bases': ofAccount,
  'contacts.paste': {},
  'contacts.baseUpload': {},
  'contacts.delete': { on: ['baseId', fixtures.base] },
  'contacts.deleteMany': { on: ['baseIds', fixtures.several(fixtures.base)], each: true },
  'contacts.sample': {},
  'contacts.refusedFile': { on: ['baseId', fixtures.base], fields: { templateId: 0 } },
  'blacklist.list': ofAccount,
  'blacklist.check': {},
  'blacklist.add': {},
  'blacklist.delete': { on: ['blacklistId', fixtures.blacklisted], except: onlyOwn },
  'blacklist.deleteMany': { on: ['blacklistIds', fixtures.several(fixtures.blacklisted)], except: onlyOwn, each: true },
  'blacklist.upload': {},
  'blacklist.refusedFile': { on: ['uploadId', fixtures.blacklistUpload], except: onlyOwn },
  'lines.all': {},
  'lines.clisOfUser': ofAccount,
  'lines.allocated': ofAccount,
  'lines.exportCsv': { ...ofAccount, fields: { allocated: '1' } },
  'lines.available': {},
  'lines.takers': {},
  'lines.add': { names: { trunkName: lines.trunkName }, fields: (_, fresh) => ({ cli: mobileOf(fresh) }) },
  'lines.update': { on: ['cliId', lines.anyCli], names: { trunkName: lines.trunkName } },
  'lines.allocate': { names: { cliRows: lines.cliRows } },
  'lines.deallocate': {
    on: ['cliId', lines.heldCli],
    fields: { userId: undefined },
    except: { reseller: { child: 404, deeper: 404 } }, // nobody takes what somebody else gave
  },
  'lines.deallocateMany': {
    on: ['allocationIds', fixtures.several(lines.allocation)],
    except: { reseller: { own: 404, deeper: 404 } }, // somebody else gave it
    each: true,
  },
  'lines.delete': { on: ['cliId', lines.heldCli], except: { reseller: { child: 404, deeper: 404 } } }, // likewise
  'lines.deleteMany': {
    on: ['cliIds', fixtures.several(lines.heldCli)],
    except: { reseller: { child: 404, deeper: 404 } },
    each: true,
  },
  'lines.upload': { names: { trunkName: lines.trunkName }, fields: { pool: 'shared', uploadType: 'new' } },
  'voiceCampaigns.compose': composed,
  'voiceCampaigns.preview': composed,
  'voiceCampaigns.list': ofAccount,
  'voiceCampaigns.exportCsv': ofAccount,
  'voiceCampaigns.detail': ofCampaign,
  'voiceCampaigns.attempts': ofCampaign,
  'voiceCampaigns.refusedCsv': ofCampaign,
  'voiceCampaigns.stop': ofCampaign,
  'voiceCampaigns.pause': ofCampaign,
  'voiceCampaigns.resume': { on: ['campaignId', fixtures.paused] },
  'voiceCampaigns.stopMany': { on: ['campaignIds', fixtures.several(fixtures.campaign())], each: true },
  'voiceCampaigns.pauseMany': { on: ['campaignIds', fixtures.several(fixtures.campaign())], each: true },
  'voiceCampaigns.resumeMany': { on: ['campaignIds', fixtures.several(fixtures.paused)], each: true },
  'voiceCampaigns.retry': { on: ['campaignId', fixtures.retriable] },
  'voiceCampaigns.events': {},
  'smsCampaigns.bases': ofAccount,
  'smsCampaigns.stageFile': { fields: { fileType: 'csv' } },
  'smsCampaigns.baseUpload': { names: { file_name: messages.stagedFile } },
  'smsCampaigns.create': {
    names: { baseId: fixtures.base, cli: messages.sender },
    fields: { contactList: undefined, smsText: 'Hello' },
  },
  'smsCampaigns.preview': { names: { baseId: fixtures.base }, fields: { cli: undefined, smsText: 'Hello' } },
  'smsCampaigns.list': ofAccount,
  'smsCampaigns.exportCsv': ofAccount,
  'smsCampaigns.summary': ofSmsCampaign,
  'smsCampaigns.report': ofSmsCampaign,
  'smsCampaigns.reportCsv': ofSmsCampaign,
  'smsCampaigns.refusedCsv': ofSmsCampaign,
  'smsCampaigns.unapproved': ofSmsCampaign,
  'smsCampaigns.approveValues': { on: ['campaignId', messages.unapproved] },
  'smsCampaigns.rejectValues': { on: ['campaignId', messages.unapproved] },
  'smsCampaigns.pause': ofSmsCampaign,
  'smsCampaigns.resume': { on: ['campaignId', messages.paused] },
  'smsCampaigns.stop': ofSmsCampaign,
  'smsCampaigns.pauseMany': { on: ['campaignIds', fixtures.several(messages.campaign)], each: true },
  'smsCampaigns.resumeMany': { on: ['campaignIds', fixtures.several(messages.paused)], each: true },
  'smsCampaigns.stopMany': { on: ['campaignIds', fixtures.several(messages.campaign)], each: true },
  'smsCampaigns.retry': { on: ['campaignId', messages.retriable] },
  'previewCalls.composed': played,
  'previewCalls.ofCampaign': ofHeardCampaign,
  'previewCalls.hear': { ok: 404 }, // the signature is not the right one
  'answers.ofCampaign': ofHeardCampaign,
  'answers.keysCsv': ofHeardCampaign,
  'answers.dropOffCsv': ofHeardCampaign,
  // Nothing listens there. Both tests allow the host, which a demo would otherwise not ask.
  'afterCall.test': {
    fields: {
      occasion: 'success',
      mobile: '9841000009',
      smsSuccessApi: 'http://127.0.0.1:1/sms?to={PHONE}',
      smsFailApi: undefined,
      smsDtmfApi: undefined,
    },
  },
  'testCalls.composed': { ...composed, fields: { templateId: 2, numbers, row: undefined } },
  'testCalls.ofCampaign': { on: ['campaignId', fixtures.heardCampaign], fields: { numbers, row: undefined } },
  ...singleCallRows,
  'callReport.list': ofCalls,
  'callReport.ofCampaign': { ...ofCampaign, fields: { kind: undefined, key: '1' } },
  'callReport.exportCsv': ofCalls,
  'callReport.recordings': ofCalls,
  'plans.pulses': {},
  'plans.add': {},
  'plans.own': {},
  'plans.list': ofAccount,
  'plans.choices': ofAccount,
  'plans.setStatus': ofPlan,
  'plans.delete': ofPlan,
  'credits.add': ofRecharge,
  'credits.remove': ofRecharge,
  'credits.account': ofRecharge,
  'credits.statement': ofHistory,
  'credits.statementCsv': ofHistory,
  'credits.children': {},
  'credits.historyOfUser': ofHistory,
  'credits.history': ofHistory,
  'credits.historyCsv': ofHistory,
  'notices.list': { fields: { kind: 'reportReady' } },
  'notices.read': { on: ['noticeId', fixtures.notice], except: onlyOwn },
  'notices.readMany': { on: ['noticeIds', fixtures.several(fixtures.notice)], except: onlyOwn, each: true },
  'notices.readAll': {},
  'notices.choices': {},
  'notices.choose': { fields: { choices: [{ kind: 'reportReady', onScreen: true, byMail: true }] } },
  ...setupRows,
  ...repeatRows,
  'savedViews.list': { fields: ofView },
  'savedViews.save': { fields: (_, fresh) => ({ ...ofView, name: fresh, isDefault: true }) },
  'savedViews.rename': { ...ofOwnView, fields: (_, fresh) => ({ name: fresh }) },
  'savedViews.setDefault': { ...ofOwnView, fields: { isDefault: true } },
  'savedViews.delete': ofOwnView,
  'mail.sendAgain': { ok: 409 }, // it is confirmed
  'callingHours.platform': {},
  'callingHours.save': {},
  'callingHours.exceptions': {},
  'callingHours.saveException': { ...ofAccount, except: callsNobody },
  'callingHours.removeException': { on: ['userId', fixtures.ownHours] },
  'audit.list': { fields: ofLog },
  'audit.csv': { fields: ofLog },
  'platform.dialBlocks': {},
  'platform.dialTargets': {},
  'platform.dialEffect': { fields: { kind: 'platform', targetId: undefined } },
  'platform.stopDialling': { fields: { kind: 'platform', targetId: undefined } },
  'platform.allowDialling': { on: ['dialBlockId', fixtures.dialBlock] },
  'settings.read': {},
  'settings.save': { fields: { numberCaps: { answered: 3, attempted: 10, platform: 20 } } },
  'alerts.list': { fields: { kind: 'record', state: 'all' } },
  'alerts.clear': { on: ['alertId', fixtures.alert] },
  'alerts.clearMany': { on: ['alertIds', fixtures.several(fixtures.alert)], each: true },
  ...traceRows,
  ...fileRows,
  ...dashboardRows,
  ...planRows,
  ...callRouteRows,
  ...smsLineRows,
}

let serial = 0

/** 'Name 12' as a number of its own. */
const mobileOf = (fresh: string) => `98${fresh.replace(/\D/g, '').padStart(8, '0')}`

/** Valid values for a field of this name in any request. */
function plainFields(viewer: Viewer, fresh: string): Fields {
  return {
    userId: viewer.userId, // where it is no more than a claim
    hostname: 'localhost',
    logo: `${'0'.repeat(64)}.png`,
    company: 'Company',
    domain: `${fresh.replace(' ', '-')}.example.com`,
    primaryColour: '#0b66a3',
    removeLogo: 'false',
    removeDomain: 'false',
    hours: { from: '07:00', to: '21:00', weekdays: [0, 1], holidays: [{ date: '2026-11-20', name: 'Tihar' }] },
    dialDays: 7,
    baseName: fresh,
    campaignName: fresh,
    fileName: fresh,
    promptCategory: 'menu',
    contactList: '9841000001',
    sampleName: 'sample_contacts.csv',
    kind: 'dialer',
    reason: 'Asked for',
    language: 'en',
    calendar: 'ad',
    change: 1,
    credits: 0.01,
    month: '2026-11',
    paymentMode: 'cash',
    planName: fresh,
    pulseDuration: 30,
    pulsePrice: 60,
    planStatus: 1,
    mobile: `98${fresh.replace(/\D/g, '').padStart(8, '0')}`,
    username: fresh,
    password: 'a new password',
    name: 'Ram Thapa',
    emailid: 'ram@example.com',
    number: '9841000001',
    address: 'Kathmandu',
    pincode: '44600',
    accountType: 0,
    userType: 'user',
    expiryDate: '2099-12-31',
    disabled: true,
    templateId: 0,
    menuWaitTime: 5,
    rePrompt: 1,
    dtmf: '1,2',
    dialerName: fresh,
    dialerIP: '127.0.0.1',
    dialerPort: 10_000 + serial,
    trunkName: fresh,
    pilotNumber: '015970000',
    channels: 30,
    cps: 5,
    sip: { host: 'sip.example.com' },
    testKind: 'ping',
    sound: `${'0'.repeat(64)}.wav`,
    signature: 'not the right one',
    until: 99_999_999,
    row: 1,
    agentRows: [{ agentNumber: '9841000005', agentDtmf: '1' }],
  }
}

/** The fields of a valid request of this viewer, without its objects. Names in them are new each time. */
export function plainFieldsOf({ key, fields }: ListedRoute, viewer: Viewer): Fields {
  const fresh = `Name ${++serial}`
  const own = rows[key].fields
  const known: Fields = {
    ...plainFields(viewer, fresh),
    ...(typeof own === 'function' ? own(viewer, fresh) : own),
  }
  return Object.fromEntries(
    Object.entries(known).filter(([name, value]) => fields.includes(name) && value !== undefined),
  )
}
