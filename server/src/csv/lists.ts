import * as calls from './columns-calls.ts'
import { csv, type CsvOfLists } from './columns.ts'
import * as messages from './columns-messages.ts'
import * as platform from './columns-platform.ts'

const blacklist = csv('blacklist.csv', calls.blacklistColumns)
const senders = csv('sender-ids.csv', messages.senderColumns)
const texts = csv('sms-texts.csv', messages.textColumns)

/**
 * Every list as CSV: the list's own call with `format=csv`, so that it has the same rows, filters, search and order. A list that is not here does
 * not compile.
 */
export const csvOfLists: CsvOfLists = {
  'brands.domains': csv('domains.csv', platform.domainColumns),
  'users.list': { file: 'users.listCsv' },
  'users.superAdmins': csv('super-admins.csv', platform.superAdminColumns),
  'prompts.listAll': csv('voice-files.csv', calls.promptColumns(true)),
  'prompts.listOfCustomers': csv('voice-files.csv', calls.promptColumns(true)),
  'prompts.list': csv('voice-files.csv', calls.promptColumns(false)),
  'voices.list': csv('voice-packs.csv', calls.voicePackColumns),
  'blacklist.list': blacklist,
  'lines.all': { file: 'lines.exportCsv' },
  'lines.clisOfUser': { file: 'lines.exportCsv' },
  'lines.allocated': { file: 'lines.exportCsv' },
  'lines.available': { none: 'choices of a form; the list of caller IDs has them' },
  'lines.takers': { none: 'choices of a form; the list of users has them' },
  'dialers.list': csv('dialers.csv', calls.dialerColumns),
  'trunks.list': csv('trunks.csv', calls.trunkColumns),
  'contracts.list': csv('contracts.csv', calls.contractColumns),
  'callRoutes.list': csv('call-routes.csv', calls.callRouteColumns),
  'trunkDispositions.list': csv('trunk-codes.csv', calls.dispositionColumns),
  'smsCampaigns.list': { file: 'smsCampaigns.exportCsv' },
  'smsCampaigns.report': { file: 'smsCampaigns.reportCsv' },
  'smsCampaigns.unapproved': csv('sms-unapproved.csv', messages.unapprovedColumns),
  'voiceCampaigns.list': { file: 'voiceCampaigns.exportCsv' },
  'repeats.days': csv('repeating-days.csv', calls.repeatDayColumns),
  'voiceCampaigns.attempts': { file: 'callReport.exportCsv' },
  'callReport.list': { file: 'callReport.exportCsv' },
  'callReport.recordings': { file: 'callReport.exportCsv' },
  'callReport.ofCampaign': { file: 'callReport.exportCsv' },
  'plans.list': csv('plans.csv', calls.planColumns),
  'credits.historyOfUser': { file: 'credits.historyCsv' },
  'credits.history': { file: 'credits.historyCsv' },
  'callingHours.exceptions': csv('calling-hours.csv', platform.hourColumns),
  'audit.list': { file: 'audit.csv' },
  'notices.list': csv('notices.csv', platform.noticeColumns),
  'alerts.list': csv('alerts.csv', platform.alertColumns),
  'smsGateways.list': csv('sms-gateways.csv', messages.gatewayColumns),
  'smsInbox.list': csv('sms-inbox.csv', messages.inboxColumns),
  'smsRoutes.list': csv('sms-routes.csv', messages.smsRouteColumns),
  'smsSenders.listAll': senders,
  'smsSenders.list': senders,
  'smsTexts.listAll': texts,
  'smsTexts.list': texts,
}
