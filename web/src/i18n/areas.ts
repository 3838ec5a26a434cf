import * as common from './en/common.ts'

/** English texts by area, so that a screen loads only its own. nepali-areas.ts has the same ones; English is the type that Nepali must match. */
const areas = {
  /** Shell, tables, forms, dialogs. English is in the first bundle: it must work when nothing else loads. */
  common: () => Promise.resolve(common),
  auth: () => import('./en/auth.ts'),
  filters: () => import('./en/filters.ts'),
  passwords: () => import('./en/passwords.ts'),
  dates: () => import('./en/dates.ts'),
  goTo: () => import('./en/go-to.ts'),
  sound: () => import('./en/sound.ts'),
  dashboard: () => import('./en/dashboard.ts'),
  compose: () => import('./en/compose.ts'),
  summaryMails: () => import('./en/summary-mails.ts'),
  setups: () => import('./en/setups.ts'),
  calendar: () => import('./en/calendar.ts'),
  repeats: () => import('./en/repeats.ts'),
  exports: () => import('./en/exports.ts'),
  retention: () => import('./en/retention.ts'),
  editCampaign: () => import('./en/edit-campaign.ts'),
  newFrom: () => import('./en/new-from.ts'),
  contactFiles: () => import('./en/contact-files.ts'),
  contactTable: () => import('./en/contact-table.ts'),
  dateOrders: () => import('./en/date-orders.ts'),
  prompts: () => import('./en/prompts.ts'),
  voicePacks: () => import('./en/voice-packs.ts'),
  plans: () => import('./en/plans.ts'),
  blacklist: () => import('./en/blacklist.ts'),
  credits: () => import('./en/credits.ts'),
  clis: () => import('./en/clis.ts'),
  cliGroups: () => import('./en/cli-groups.ts'),
  lines: () => import('./en/lines.ts'),
  trunkForms: () => import('./en/trunk-forms.ts'),
  traces: () => import('./en/traces.ts'),
  lineForms: () => import('./en/line-forms.ts'),
  alerts: () => import('./en/alerts.ts'),
  platform: () => import('./en/platform.ts'),
  users: () => import('./en/users.ts'),
  overview: () => import('./en/overview.ts'),
  customers: () => import('./en/customers.ts'),
  notices: () => import('./en/notices.ts'),
  voiceCampaigns: () => import('./en/voice-campaigns.ts'),
  campaignActions: () => import('./en/campaign-actions.ts'),
  campaignDetail: () => import('./en/campaign-detail.ts'),
  callNow: () => import('./en/call-now.ts'),
  callReport: () => import('./en/call-report.ts'),
  insight: () => import('./en/insight.ts'),
  smsCompose: () => import('./en/sms-compose.ts'),
  smsCampaigns: () => import('./en/sms-campaigns.ts'),
  answers: () => import('./en/answers.ts'),
  previewCall: () => import('./en/preview-call.ts'),
  testCall: () => import('./en/test-call.ts'),
  gateways: () => import('./en/gateways.ts'),
  smsInbox: () => import('./en/sms-inbox.ts'),
  callRoutes: () => import('./en/call-routes.ts'),
  contracts: () => import('./en/contracts.ts'),
  smsRoutes: () => import('./en/sms-routes.ts'),
  smsApprovals: () => import('./en/sms-approvals.ts'),
  audit: () => import('./en/audit.ts'),
  callingHours: () => import('./en/calling-hours.ts'),
  settings: () => import('./en/settings.ts'),
  recordingNotice: () => import('./en/recording-notice.ts'),
  branding: () => import('./en/branding.ts'),
  profile: () => import('./en/profile.ts'),
}

export type Area = keyof typeof areas
export type TextsOf<A extends Area> = Awaited<ReturnType<(typeof areas)[A]>>['texts']
export type LoadersOf = { [A in Area]: () => Promise<{ texts: TextsOf<A> }> }
export const english: LoadersOf = areas

export const languages = ['en', 'ne'] as const
export type Language = (typeof languages)[number]
