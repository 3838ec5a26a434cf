import { afterCallRoutes } from './sms-tests.ts'
import { answerRoutes } from './answers.ts'
import { auditRoutes } from './audit.ts'
import { alertRoutes } from './alerts.ts'
import { authRoutes } from './auth.ts'
import { baseFromRoutes } from './base-from.ts'
import { blacklistRoutes } from './blacklist.ts'
import { brandingRoutes } from './branding.ts'
import { brandRoutes } from './brands.ts'
import { calendarRoutes } from './calendar.ts'
import { callReportRoutes } from './call-report.ts'
import { callingHoursRoutes } from './calling-hours.ts'
import { composeRoutes } from './compose.ts'
import { contactRoutes } from './contacts.ts'
import { creditRoutes } from './credits.ts'
import { customerRoutes } from './customers.ts'
import { dialerRoutes } from './dialers.ts'
import { exportRoutes } from './exports.ts'
import { factorRoutes } from './factors.ts'
import { hookRoutes } from './hooks.ts'
import { keyRoutes } from './keys.ts'
import { findRoutes } from './find.ts'
import { freezingRoutes } from './freezing.ts'
import { insightRoutes } from './insight.ts'
import { lineRoutes } from './lines.ts'
import { planRoutes } from './plans.ts'
import { mailRoutes } from './mail.ts'
import { noticeRoutes } from './notices.ts'
import { overviewRoutes } from './overview.ts'
import { platformRoutes } from './platform.ts'
import { previewCallRoutes } from './preview-calls.ts'
import { promptRoutes } from './prompts.ts'
import { quotaRoutes } from './quotas.ts'
import { recordingNoticeRoutes } from './recording-notice.ts'
import { recordingRoutes } from './recordings.ts'
import { retentionRoutes } from './retention.ts'
import { savedViewRoutes } from './saved-views.ts'
import { sessionRoutes } from './sessions.ts'
import { sendRoutes } from './sends.ts'
import { signInRoutes } from './sign-in.ts'
import { setupRoutes } from './setups.ts'
import { settingRoutes } from './settings.ts'
import { smsGatewayRoutes } from './sms-gateways.ts'
import { smsInboxRoutes } from './sms-inbox.ts'
import { callRouteRoutes } from './call-routes.ts'
import { contractRoutes } from './contracts.ts'
import { smsRouteRoutes } from './sms-routes.ts'
import { smsSenderRoutes } from './sms-senders.ts'
import { smsTextRoutes } from './sms-texts.ts'
import { smsCampaignRoutes } from './sms-campaigns.ts'
import { smsComposeRoutes } from './sms-compose.ts'
import { speechRoutes } from './speech.ts'
import { followupRoutes } from './followups.ts'
import { testCallRoutes } from './test-calls.ts'
import { trunkDispositionRoutes } from './trunk-dispositions.ts'
import { traceRoutes } from './traces.ts'
import { trunkRoutes } from './trunks.ts'
import { summaryMailRoutes } from './summary-mails.ts'
import { summaryRoutes } from './summaries.ts'
import { userRoutes } from './users.ts'
import { voiceRoutes } from './voices.ts'
import { repeatRoutes } from './repeats.ts'
import { campaignDetailRoutes } from './campaign-detail.ts'
import { reportRoutes, voiceCampaignRoutes } from './voice-campaigns.ts'

/** Every call, by area. The server mounts it; the console's client and the OpenAPI document are derived from it. */
export const routes = {
  auth: { ...authRoutes, ...signInRoutes },
  sessions: sessionRoutes,
  factors: factorRoutes,
  keys: keyRoutes,
  hooks: hookRoutes,
  sends: sendRoutes,
  branding: brandingRoutes,
  brands: brandRoutes,
  users: userRoutes,
  freezing: freezingRoutes,
  customers: customerRoutes,
  overview: overviewRoutes,
  calendar: calendarRoutes,
  prompts: promptRoutes,
  voices: voiceRoutes,
  speech: speechRoutes,
  contacts: contactRoutes,
  baseFrom: baseFromRoutes,
  blacklist: blacklistRoutes,
  lines: lineRoutes,
  dialers: dialerRoutes,
  trunks: trunkRoutes,
  callRoutes: callRouteRoutes,
  contracts: contractRoutes,
  traces: traceRoutes,
  trunkDispositions: trunkDispositionRoutes,
  smsCampaigns: { ...smsComposeRoutes, ...smsCampaignRoutes },
  voiceCampaigns: { ...composeRoutes, ...voiceCampaignRoutes, ...campaignDetailRoutes },
  previewCalls: previewCallRoutes,
  afterCall: afterCallRoutes,
  answers: answerRoutes,
  testCalls: testCallRoutes,
  followups: followupRoutes,
  callReport: callReportRoutes,
  insight: insightRoutes,
  recordings: recordingRoutes,
  recordingNotice: recordingNoticeRoutes,
  summaries: summaryRoutes,
  summaryMails: summaryMailRoutes,
  reports: reportRoutes,
  retention: retentionRoutes,
  exports: exportRoutes,
  plans: planRoutes,
  quotas: quotaRoutes,
  credits: creditRoutes,
  callingHours: callingHoursRoutes,
  audit: auditRoutes,
  platform: platformRoutes,
  settings: settingRoutes,
  notices: noticeRoutes,
  mail: mailRoutes,
  alerts: alertRoutes,
  find: findRoutes,
  savedViews: savedViewRoutes,
  setups: setupRoutes,
  repeats: repeatRoutes,
  smsGateways: smsGatewayRoutes,
  smsInbox: smsInboxRoutes,
  smsRoutes: smsRouteRoutes,
  smsSenders: smsSenderRoutes,
  smsTexts: smsTextRoutes,
}
export type Routes = typeof routes
/** 'auth.login', 'prompts.upload', … */
export type RouteKey = { [Area in keyof Routes]: `${Area}.${string & keyof Routes[Area]}` }[keyof Routes]
