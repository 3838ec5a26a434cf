import type { RouteKey } from '@ghanti/contract/routes.ts'

/**
 * Routes that return personal data of called people, or of whole groups of accounts, by the line that opening them leaves in the audit log. Their
 * actions call `auditRead` before anything is answered, a total alike.
 */
export const personalReads = {
  'recordings.listen': 'recording.listen',
  'callReport.recordings': 'calls.open',
  'callReport.list': 'calls.open',
  'callReport.ofCampaign': 'campaign.attempts',
  'callReport.exportCsv': 'calls.export',
  'callReport.archivedCsv': 'campaign.archived',
  'voiceCampaigns.attempts': 'campaign.attempts',
  'voiceCampaigns.refusedCsv': 'campaign.refused.download',
  'voiceCampaigns.exportCsv': 'campaign.export',
  'voiceCampaigns.preview': 'base.preview',
  'smsCampaigns.preview': 'base.preview',
  'smsCampaigns.exportCsv': 'sms.export',
  'smsCampaigns.report': 'sms.report',
  'smsCampaigns.reportCsv': 'sms.report.download',
  'smsCampaigns.refusedCsv': 'sms.refused.download',
  'smsCampaigns.unapproved': 'sms.unapproved',
  'sends.detail': 'sms.report',
  'sends.find': 'sms.find',
  'smsInbox.list': 'inbox.open',
  'hooks.events': 'hook.read',
  'previewCalls.composed': 'base.preview',
  'previewCalls.ofCampaign': 'campaign.preview',
  'contacts.detail': 'base.preview',
  'contacts.download': 'base.download',
  'contacts.refusedFile': 'base.download_refused',
  'blacklist.list': 'blacklist.open',
  'blacklist.check': 'blacklist.check',
  'blacklist.refusedFile': 'blacklist.download_refused',
  'reports.zip': 'report.download',
  'exports.download': 'export.download',
  'users.listCsv': 'user.export',
  'smsCampaigns.archivedCsv': 'sms.archived',
  'find.number': 'number.find',
  'insight.calls': 'insight.agents', // of agents; sums otherwise
  'insight.callsCsv': 'insight.agents',
  'customers.detail': 'user.open',
  'traces.ofCall': 'trace.open',
  'traces.download': 'trace.download',
} as const satisfies Partial<Record<RouteKey, string>>

/**
 * Every other route that returns something: accounts, lines, money, counts and settings, nothing about the called people. A test requires a decision
 * about each new route.
 */
export const otherReads: ReadonlySet<RouteKey> = new Set<Exclude<RouteKey, keyof typeof personalReads>>([
  'auth.session',
  'sessions.list', // the viewer's own
  'factors.list', // the viewer's own
  'keys.list', // the viewer's own
  'hooks.list', // the viewer's own
  'hooks.deliveries', // names and ends of events, nothing of what they are about
  'retention.archives',
  'retention.archive', // the super admin's whole file: a line for each download
  'branding.byHost',
  'branding.logo',
  'brands.own',
  'brands.domains',
  'users.list',
  'users.choices', // names of accounts, as their list
  'users.readPassword',
  'users.channels',
  'users.profile',
  'quotas.ofAccount',
  'users.dashboard',
  'calendar.range',
  'overview.own',
  'overview.start',
  'overview.reseller', // names and money of accounts, as their list
  'overview.platform',
  'users.disabling',
  'freezing.reach',
  'users.superAdmins',
  'prompts.categories',
  'prompts.listAll',
  'prompts.list',
  'prompts.listOfCustomers',
  'prompts.sound',
  'prompts.listen',
  'voices.list',
  'voices.wordList',
  'voices.detail',
  'voices.listen',
  'speech.voices',
  'contacts.bases',
  'baseFrom.progress', // how far it is, and how many rows
  'smsCampaigns.bases',
  'smsCampaigns.list',
  'smsCampaigns.summary',
  'contacts.sample',
  'exports.list', // names of the viewer's own files
  'lines.all',
  'lines.clisOfUser',
  'lines.allocated',
  'lines.exportCsv',
  'lines.available',
  'lines.takers',
  'dialers.choices',
  'dialers.list',
  'dialers.detail',
  'trunks.list',
  'trunks.detail',
  'trunks.testResult',
  'traces.ofTest', // of a number that a super admin named; leaves a line all the same
  'traces.quality', // sums
  'trunkDispositions.list',
  'repeats.list', // what the viewer planned
  'repeats.detail',
  'repeats.days',
  'repeats.next', // counts of rows by day
  'setups.list', // what the viewer saved
  'setups.detail',
  'savedViews.list', // what the viewer saved
  'find.find', // names of campaigns, accounts and caller IDs, as their lists
  'voiceCampaigns.list',
  'voiceCampaigns.detail',
  'voiceCampaigns.events',
  'previewCalls.hear',
  'summaries.pdf', // sums of a campaign, as its page shows them
  'summaries.csv',
  'summaryMails.read', // what the viewer chose, and the viewer's own addresses
  'answers.ofCampaign',
  'answers.keysCsv',
  'answers.dropOffCsv',
  'testCalls.detail',
  'insight.messages',
  'insight.messagesCsv',
  'followups.detail', // an own call, of which its owner reads in the report
  'plans.pulses',
  'plans.own',
  'plans.list',
  'plans.choices',
  'credits.account',
  'credits.statement',
  'credits.statementCsv',
  'credits.children',
  'credits.historyOfUser',
  'credits.history',
  'credits.historyCsv',
  'callingHours.platform',
  'callingHours.exceptions',
  'audit.list',
  'audit.csv',
  'platform.dialBlocks',
  'platform.dialTargets',
  'platform.dialEffect',
  'settings.read',
  'recordingNotice.read',
  'recordingNotice.listen',
  'notices.list',
  'notices.choices',
  'alerts.list',
  'smsGateways.list',
  'smsGateways.detail',
  'smsGateways.testResult', // of the super admin's own number
  'callRoutes.list',
  'contracts.list',
  'lines.group',
  'smsRoutes.list',
  'smsSenders.listAll',
  'smsSenders.list',
  'smsTexts.listAll', // with placeholders, before anybody's values stand in them
  'smsTexts.list',
])
