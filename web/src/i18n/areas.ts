import * as common from './en/common.ts'

/** Texts by area, so that a screen loads only its own. Each line names both languages; English is the type that Nepali must match. */
const areas = {
  /** Shell, tables, forms, dialogs. English is in the first bundle: it must work when nothing else loads. */
  common: { en: () => Promise.resolve(common), ne: () => import('./ne/common.ts') },
  auth: { en: () => import('./en/auth.ts'), ne: () => import('./ne/auth.ts') },
  filters: { en: () => import('./en/filters.ts'), ne: () => import('./ne/filters.ts') },
  passwords: { en: () => import('./en/passwords.ts'), ne: () => import('./ne/passwords.ts') },
  dates: { en: () => import('./en/dates.ts'), ne: () => import('./ne/dates.ts') },
  goTo: { en: () => import('./en/go-to.ts'), ne: () => import('./ne/go-to.ts') },
  sound: { en: () => import('./en/sound.ts'), ne: () => import('./ne/sound.ts') },
  dashboard: { en: () => import('./en/dashboard.ts'), ne: () => import('./ne/dashboard.ts') },
  compose: { en: () => import('./en/compose.ts'), ne: () => import('./ne/compose.ts') },
  summaryMails: { en: () => import('./en/summary-mails.ts'), ne: () => import('./ne/summary-mails.ts') },
  setups: { en: () => import('./en/setups.ts'), ne: () => import('./ne/setups.ts') },
  calendar: { en: () => import('./en/calendar.ts'), ne: () => import('./ne/calendar.ts') },
  repeats: { en: () => import('./en/repeats.ts'), ne: () => import('./ne/repeats.ts') },
  exports: { en: () => import('./en/exports.ts'), ne: () => import('./ne/exports.ts') },
  retention: { en: () => import('./en/retention.ts'), ne: () => import('./ne/retention.ts') },
  editCampaign: { en: () => import('./en/edit-campaign.ts'), ne: () => import('./ne/edit-campaign.ts') },
  newFrom: { en: () => import('./en/new-from.ts'), ne: () => import('./ne/new-from.ts') },
  contactFiles: { en: () => import('./en/contact-files.ts'), ne: () => import('./ne/contact-files.ts') },
  contactTable: { en: () => import('./en/contact-table.ts'), ne: () => import('./ne/contact-table.ts') },
  prompts: { en: () => import('./en/prompts.ts'), ne: () => import('./ne/prompts.ts') },
  voicePacks: { en: () => import('./en/voice-packs.ts'), ne: () => import('./ne/voice-packs.ts') },
  plans: { en: () => import('./en/plans.ts'), ne: () => import('./ne/plans.ts') },
  blacklist: { en: () => import('./en/blacklist.ts'), ne: () => import('./ne/blacklist.ts') },
  credits: { en: () => import('./en/credits.ts'), ne: () => import('./ne/credits.ts') },
  clis: { en: () => import('./en/clis.ts'), ne: () => import('./ne/clis.ts') },
  cliGroups: { en: () => import('./en/cli-groups.ts'), ne: () => import('./ne/cli-groups.ts') },
  lines: { en: () => import('./en/lines.ts'), ne: () => import('./ne/lines.ts') },
  trunkForms: { en: () => import('./en/trunk-forms.ts'), ne: () => import('./ne/trunk-forms.ts') },
  traces: { en: () => import('./en/traces.ts'), ne: () => import('./ne/traces.ts') },
  lineForms: { en: () => import('./en/line-forms.ts'), ne: () => import('./ne/line-forms.ts') },
  alerts: { en: () => import('./en/alerts.ts'), ne: () => import('./ne/alerts.ts') },
  platform: { en: () => import('./en/platform.ts'), ne: () => import('./ne/platform.ts') },
  users: { en: () => import('./en/users.ts'), ne: () => import('./ne/users.ts') },
  overview: { en: () => import('./en/overview.ts'), ne: () => import('./ne/overview.ts') },
  customers: { en: () => import('./en/customers.ts'), ne: () => import('./ne/customers.ts') },
  notices: { en: () => import('./en/notices.ts'), ne: () => import('./ne/notices.ts') },
  voiceCampaigns: { en: () => import('./en/voice-campaigns.ts'), ne: () => import('./ne/voice-campaigns.ts') },
  callNow: { en: () => import('./en/call-now.ts'), ne: () => import('./ne/call-now.ts') },
  callReport: { en: () => import('./en/call-report.ts'), ne: () => import('./ne/call-report.ts') },
  insight: { en: () => import('./en/insight.ts'), ne: () => import('./ne/insight.ts') },
  smsCompose: { en: () => import('./en/sms-compose.ts'), ne: () => import('./ne/sms-compose.ts') },
  smsCampaigns: { en: () => import('./en/sms-campaigns.ts'), ne: () => import('./ne/sms-campaigns.ts') },
  answers: { en: () => import('./en/answers.ts'), ne: () => import('./ne/answers.ts') },
  previewCall: { en: () => import('./en/preview-call.ts'), ne: () => import('./ne/preview-call.ts') },
  testCall: { en: () => import('./en/test-call.ts'), ne: () => import('./ne/test-call.ts') },
  gateways: { en: () => import('./en/gateways.ts'), ne: () => import('./ne/gateways.ts') },
  smsInbox: { en: () => import('./en/sms-inbox.ts'), ne: () => import('./ne/sms-inbox.ts') },
  callRoutes: { en: () => import('./en/call-routes.ts'), ne: () => import('./ne/call-routes.ts') },
  smsRoutes: { en: () => import('./en/sms-routes.ts'), ne: () => import('./ne/sms-routes.ts') },
  smsApprovals: { en: () => import('./en/sms-approvals.ts'), ne: () => import('./ne/sms-approvals.ts') },
  audit: { en: () => import('./en/audit.ts'), ne: () => import('./ne/audit.ts') },
  callingHours: { en: () => import('./en/calling-hours.ts'), ne: () => import('./ne/calling-hours.ts') },
  settings: { en: () => import('./en/settings.ts'), ne: () => import('./ne/settings.ts') },
  recordingNotice: { en: () => import('./en/recording-notice.ts'), ne: () => import('./ne/recording-notice.ts') },
  branding: { en: () => import('./en/branding.ts'), ne: () => import('./ne/branding.ts') },
  profile: { en: () => import('./en/profile.ts'), ne: () => import('./ne/profile.ts') },
}

export type Area = keyof typeof areas
export type TextsOf<A extends Area> = Awaited<ReturnType<(typeof areas)[A]['en']>>['texts']
export const loadersOf: { [A in Area]: Record<Language, () => Promise<{ texts: TextsOf<A> }>> } = areas

export const languages = ['en', 'ne'] as const
export type Language = (typeof languages)[number]
