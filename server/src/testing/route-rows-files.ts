import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { Row } from './route-rows.ts'
import * as messages from './things-messages.ts'
import * as archives from './things-archives.ts'
import * as things from './things.ts'

const ofCampaign: Row = { on: ['campaignId', things.campaign()] }
/** Nobody reads what somebody else asked for, neither from above. */
const onlyOwn = { reseller: { child: 404, deeper: 404 }, superAdmin: { child: 404, deeper: 404 } }

/** Of files that the server makes, and of what is kept (route-rows.ts has the rules). */
export const fileRows = {
  'reports.generate': ofCampaign,
  'reports.download': ofCampaign,
  'reports.zip': { on: ['campaignZip', things.reportZip] },
  'baseFrom.make': {
    on: ['campaignId', things.campaign('complete')],
    names: { notInCampaignId: things.campaign() },
    fields: { dispositions: ['BUSY'], keys: ['1'], maxSeconds: 5 },
  },
  'retention.archiveCalls': { on: ['campaignId', things.retriable] },
  'retention.archiveMessages': { on: ['campaignId', messages.retriable] },
  'retention.deleteCalls': { on: ['campaignId', things.deletable], fields: { campaignName: things.deletableName } },
  'retention.deleteMessages': {
    on: ['campaignId', messages.deletable],
    fields: { campaignName: things.deletableName },
  },
  'retention.archives': {},
  'retention.archive': { on: ['archiveId', archives.archive] },
  'retention.archivedCalls': { on: ['campaignId', archives.archivedCalls] },
  'retention.archivedMessages': { on: ['campaignId', archives.archivedMessages] },
  'recordings.listen': { on: ['recording', things.recording] },
  'recordings.delete': { on: ['uuID', things.recordingId] },
  'recordings.keepDays': { fields: { recordingDays: 30 } },
  'exports.ask': { fields: { kind: 'calls', format: 'csv' } },
  'exports.list': { on: ['userId', things.account], except: onlyOwn },
  'exports.download': { on: ['exportId', things.readyExport], fields: { fileName: 'calls.csv' }, except: onlyOwn },
  'exports.delete': { on: ['exportId', things.readyExport], except: onlyOwn },
  'baseFrom.progress': { on: ['makingId', things.baseMaking] },
} as const satisfies Partial<Record<RouteKey, Row>>
