import type { AllHandlers } from './http/types.ts'
import { factorHandlers } from './modules/sessions/routes-factors.ts'
import { hookHandlers } from './modules/hooks/routes.ts'
import { keyHandlers } from './modules/sessions/routes-keys.ts'
import { sendHandlers } from './modules/sends/routes.ts'
import { findHandlers } from './modules/find/routes.ts'
import { answerHandlers } from './modules/answers/routes.ts'
import { auditHandlers } from './modules/audit/routes.ts'
import { alertHandlers } from './modules/alerts/routes.ts'
import { authHandlers } from './modules/auth/routes.ts'
import { baseFromHandlers } from './modules/base-from/routes.ts'
import { blacklistHandlers } from './modules/blacklist/routes.ts'
import { brandHandlers, brandingHandlers } from './modules/branding/routes.ts'
import { calendarHandlers } from './modules/calendar/routes.ts'
import { callReportHandlers } from './modules/call-report/routes.ts'
import { contactHandlers } from './modules/contacts/routes.ts'
import { creditHandlers } from './modules/credits/routes.ts'
import { customerHandlers } from './modules/customers/routes.ts'
import { dialerHandlers } from './modules/dialers/routes-dialers.ts'
import { trunkDispositionHandlers } from './modules/dialers/routes-dispositions.ts'
import { callRouteHandlers } from './modules/call-routes/routes.ts'
import { contractHandlers } from './modules/contracts/routes.ts'
import { trunkHandlers } from './modules/dialers/routes-trunks.ts'
import { traceHandlers } from './modules/traces/routes.ts'
import { freezingHandlers } from './modules/freezing/routes.ts'
import { insightHandlers } from './modules/insight/routes.ts'
import { exportHandlers } from './modules/exports/routes.ts'
import { lineHandlers } from './modules/lines/routes.ts'
import { planHandlers } from './modules/plans/routes.ts'
import { mailHandlers } from './modules/mail/routes.ts'
import { afterCallHandlers } from './modules/after-call/routes.ts'
import { noticeHandlers } from './modules/notices/routes.ts'
import { callingHoursHandlers } from './modules/platform/routes-hours.ts'
import { savedViewHandlers } from './modules/saved-views/routes.ts'
import { repeatHandlers } from './modules/repeats/routes.ts'
import { sessionHandlers } from './modules/sessions/routes.ts'
import { setupHandlers } from './modules/setups/routes.ts'
import { settingHandlers } from './modules/settings/routes.ts'
import { smsGatewayHandlers } from './modules/sms-gateways/routes.ts'
import { smsInboxHandlers } from './modules/sms-inbox/routes.ts'
import { smsRouteHandlers } from './modules/sms-routes/routes.ts'
import { smsSenderHandlers } from './modules/sms-senders/routes.ts'
import { smsTextHandlers } from './modules/sms-texts/routes.ts'
import { overviewHandlers } from './modules/overview/routes.ts'
import { platformHandlers } from './modules/platform/routes.ts'
import { previewCallHandlers } from './modules/preview-calls/routes.ts'
import { promptHandlers } from './modules/prompts/routes.ts'
import { quotaHandlers } from './modules/quotas/routes.ts'
import { recordingNoticeHandlers } from './modules/recording-notice/routes.ts'
import { recordingHandlers } from './modules/recordings/routes.ts'
import { reportHandlers } from './modules/reports/routes.ts'
import { summaryMailHandlers } from './modules/summary-mails/routes.ts'
import { summaryHandlers } from './modules/summaries/routes.ts'
import { retentionHandlers } from './modules/retention/routes.ts'
import { smsCampaignHandlers } from './modules/sms-campaigns/routes.ts'
import { speechHandlers } from './modules/speech/routes.ts'
import { userHandlers } from './modules/users/routes.ts'
import { voiceHandlers } from './modules/voices/routes.ts'
import { followupHandlers } from './modules/followups/routes.ts'
import { testCallHandlers } from './modules/test-calls/routes.ts'
import { voiceCampaignHandlers } from './modules/voice-campaigns/routes.ts'

export const handlers: AllHandlers = {
  auth: authHandlers,
  sessions: sessionHandlers,
  factors: factorHandlers,
  keys: keyHandlers,
  hooks: hookHandlers,
  sends: sendHandlers,
  branding: brandingHandlers,
  brands: brandHandlers,
  users: userHandlers,
  freezing: freezingHandlers,
  customers: customerHandlers,
  overview: overviewHandlers,
  calendar: calendarHandlers,
  prompts: promptHandlers,
  voices: voiceHandlers,
  speech: speechHandlers,
  contacts: contactHandlers,
  baseFrom: baseFromHandlers,
  blacklist: blacklistHandlers,
  lines: lineHandlers,
  dialers: dialerHandlers,
  trunks: trunkHandlers,
  callRoutes: callRouteHandlers,
  contracts: contractHandlers,
  traces: traceHandlers,
  trunkDispositions: trunkDispositionHandlers,
  smsCampaigns: smsCampaignHandlers,
  voiceCampaigns: voiceCampaignHandlers,
  previewCalls: previewCallHandlers,
  afterCall: afterCallHandlers,
  answers: answerHandlers,
  find: findHandlers,
  testCalls: testCallHandlers,
  followups: followupHandlers,
  callReport: callReportHandlers,
  insight: insightHandlers,
  recordings: recordingHandlers,
  recordingNotice: recordingNoticeHandlers,
  summaries: summaryHandlers,
  summaryMails: summaryMailHandlers,
  reports: reportHandlers,
  retention: retentionHandlers,
  exports: exportHandlers,
  plans: planHandlers,
  quotas: quotaHandlers,
  credits: creditHandlers,
  callingHours: callingHoursHandlers,
  audit: auditHandlers,
  platform: platformHandlers,
  settings: settingHandlers,
  notices: noticeHandlers,
  mail: mailHandlers,
  alerts: alertHandlers,
  savedViews: savedViewHandlers,
  setups: setupHandlers,
  repeats: repeatHandlers,
  smsGateways: smsGatewayHandlers,
  smsInbox: smsInboxHandlers,
  smsRoutes: smsRouteHandlers,
  smsSenders: smsSenderHandlers,
  smsTexts: smsTextHandlers,
}
