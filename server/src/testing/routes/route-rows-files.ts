import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Viewer } from '../../policy.ts'
import type { Row } from './route-rows.ts'
import * as messages from './route-fixtures-messages.ts'
import * as archives from './route-fixtures-archives.ts'
import * as summaries from './route-fixtures-summaries.ts'
import * as fixtures from './route-fixtures.ts'

const ofCampaign: Row = { on: ['campaignId', fixtures.campaign()] }
/** A campaign with a call flow. */
const ofHeardCampaign: Row = { on: ['campaignId', fixtures.heardCampaign] }
/** Nobody reads what somebody else asked for, not even from above. */
const onlyOwn = { reseller: { child: 404, deeper: 404 }, superAdmin: { child: 404, deeper: 404 } }

const written = { formats: 'pdf', language: 'en', calendar: 'ad' }

/** Routes of files that the server makes, and of deleting and archiving (route-rows.ts has the rules). */
export const fileRows = {
  'summaries.pdf': ofHeardCampaign,
  'summaries.csv': ofHeardCampaign,
  'summaryMails.read': {},
  'summaryMails.save': { fields: { ...written, dailyHour: 8, onCompletion: true } },
  'summaryMails.addAddress': {
    fields: (_viewer: Viewer, fresh: string) => ({ address: `${fresh.replaceAll(' ', '-')}@example.com` }),
  },
  'summaryMails.removeAddress': { on: ['addressId', summaries.address] },
  'summaryMails.confirm': { names: { token: summaries.yesLink } },
  'summaryMails.stop': { names: { token: summaries.noLink } },
  'summaryMails.send': { ...ofHeardCampaign, names: { addressIds: summaries.addresses }, fields: written },
  'reports.generate': ofCampaign,
  'reports.download': ofCampaign,
  'reports.zip': { on: ['campaignZip', fixtures.reportZip] },
  'baseFrom.make': {
    on: ['campaignId', fixtures.campaign('complete')],
    names: { notInCampaignId: fixtures.campaign() },
    fields: { dispositions: ['BUSY'], keys: ['1'], maxSeconds: 5 },
  },
  'contacts.add': { on: ['baseId', fixtures.base] },
  'contacts.detail': { on: ['baseId', fixtures.base] },
  'contacts.download': { on: ['baseId', fixtures.base] },
  'contacts.look': {},
  'contacts.columns': { on: ['baseId', fixtures.base], fields: { columns: {} } },
  'contacts.update': { on: ['baseId', fixtures.base] },
  'retention.archiveCalls': { on: ['campaignId', fixtures.retriable] },
  'retention.archiveMessages': { on: ['campaignId', messages.retriable] },
  'retention.deleteCalls': { on: ['campaignId', fixtures.deletable], fields: { campaignName: fixtures.deletableName } },
  'retention.deleteMessages': {
    on: ['campaignId', messages.deletable],
    fields: { campaignName: fixtures.deletableName },
  },
  'retention.archives': {},
  'retention.archive': { on: ['archiveId', archives.archive] },
  'callReport.archivedCsv': { on: ['campaignId', archives.archivedCalls] },
  'smsCampaigns.archivedCsv': { on: ['campaignId', archives.archivedMessages] },
  'recordings.listen': { on: ['recording', fixtures.recording] },
  'recordings.delete': { on: ['uuID', fixtures.recordingId] },
  'recordings.keepDays': { fields: { recordingDays: 30 } },
  'recordingNotice.read': {},
  'recordingNotice.turn': { fields: { on: false } },
  'recordingNotice.upload': { fields: { language: 'ne' } },
  'recordingNotice.speak': { fields: { language: 'en', text: 'This call is recorded.' } },
  'recordingNotice.listen': { fields: { language: 'en' } },
  'exports.ask': { fields: { kind: 'calls', format: 'csv' } },
  'exports.list': { on: ['userId', fixtures.account], except: onlyOwn },
  'exports.download': { on: ['exportId', fixtures.readyExport], fields: { fileName: 'calls.csv' }, except: onlyOwn },
  'exports.delete': { on: ['exportId', fixtures.readyExport], except: onlyOwn },
  'baseFrom.progress': { on: ['makingId', fixtures.baseMaking] },
} as const satisfies Partial<Record<RouteKey, Row>>
