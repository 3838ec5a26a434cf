import type { Role } from '@ghanti/contract/roles.ts'
import type { Area } from './i18n/areas.ts'
import type { MenuGroup, MenuLabel } from './i18n/en/common.ts'
import { operatorScreens } from './paths-operator.ts'

/**
 * Every screen of the signed-in console, in the order of the sidebar. To add one:
 *   1. write src/screens/<area>/<Name>Screen.tsx with the screen as its default export and, if it loads data, `export const loader = screenLoader(...)` (src/api/loader.ts);
 *   2. write its texts in src/i18n/en/<area>.ts and src/i18n/ne/<area>.ts and name the area in src/i18n/areas.ts and nepali-areas.ts;
 *   3. add one line here, or in paths-operator.ts, and the menu label in src/i18n/{en,ne}/common.ts if it has one.
 * `for` says which roles may open it, and its label in their sidebar; null: reachable, but not in the sidebar.
 * The group of a screen is open in the sidebar while it is in view. `wide`: a table that needs
 * the sidebar's room in a narrow window. A line without a screen fails the build.
 */
export type ScreenLine = {
  path: string
  /** <area>/<Name>, without 'Screen.tsx'. */
  screen: string
  texts: readonly Area[]
  group?: MenuGroup
  wide?: boolean
  /** The entry of the sidebar that is marked while the screen is in view and has none, unless its path is the beginning of this one's. */
  under?: string
  for: Partial<Record<Role, MenuLabel | null>>
}

const aboveUsers = { reseller: null, superAdmin: null }
const everyone = { user: null, reseller: null, superAdmin: null }

export const screens: readonly ScreenLine[] = [
  {
    path: '/',
    screen: 'dashboard/Dashboard',
    texts: ['dashboard'],
    for: { user: 'dashboard', reseller: 'dashboard', superAdmin: 'dashboard' },
  },
  {
    path: '/add-voice-campaign',
    screen: 'compose/Compose',
    texts: ['compose'],
    group: 'campaigns',
    for: { user: 'composeVoiceCampaign' },
  },
  {
    path: '/voice-campaign-summary',
    screen: 'voice-campaigns/VoiceCampaignSummary',
    texts: ['voiceCampaigns'],
    group: 'campaigns',
    wide: true,
    for: { user: 'voiceCampaignSummary', reseller: 'campaigns', superAdmin: 'campaigns' },
  },
  {
    path: '/voice-campaign-summary/:campaignId',
    screen: 'voice-campaigns/CampaignDetail',
    texts: ['voiceCampaigns', 'campaignDetail', 'answers'],
    group: 'campaigns',
    for: everyone,
  },
  {
    path: '/calendar',
    screen: 'calendar/Calendar',
    texts: ['calendar'],
    group: 'campaigns',
    for: { user: 'calendar', reseller: 'calendar', superAdmin: 'calendar' },
  },
  {
    path: '/set-ups',
    screen: 'setups/Setups',
    texts: ['setups'],
    group: 'campaigns',
    for: { user: 'setups' },
  },
  {
    path: '/repeating',
    screen: 'repeats/Repeats',
    texts: ['repeats'],
    group: 'campaigns',
    for: { user: 'repeating' },
  },
  {
    path: '/repeating/:repeatId',
    screen: 'repeats/Repeat',
    texts: ['repeats'],
    group: 'campaigns',
    for: { user: null },
  },
  {
    path: '/add-repeating',
    screen: 'repeats/AddRepeat',
    texts: ['repeats'],
    group: 'campaigns',
    under: '/repeating',
    for: { user: null },
  },
  {
    path: '/report',
    screen: 'call-report/CallReport',
    texts: ['callReport'],
    group: 'results',
    wide: true,
    for: { user: 'report', reseller: 'report', superAdmin: 'report' },
  },
  {
    path: '/insight',
    screen: 'insight/Insight',
    texts: ['insight'],
    group: 'results',
    for: { user: 'insight', reseller: 'insight', superAdmin: 'insight' },
  },
  {
    path: '/my-exports',
    screen: 'exports/MyExports',
    texts: ['exports'],
    group: 'results',
    for: { user: 'myExports', reseller: 'myExports', superAdmin: 'myExports' },
  },
  {
    path: '/reports-by-mail',
    screen: 'summaries/ReportsByMail',
    texts: ['summaryMails'],
    group: 'results',
    for: { user: 'reportsByMail' },
  },
  {
    path: '/add-sms-campaign',
    screen: 'sms-campaigns/AddSmsCampaign',
    texts: ['smsCompose', 'compose'],
    group: 'messages',
    for: { user: 'addSmsCampaign' },
  },
  {
    path: '/sms-campaign-summary',
    screen: 'sms-campaigns/SmsCampaignSummary',
    texts: ['smsCampaigns'],
    group: 'messages',
    wide: true,
    for: { user: 'smsCampaignSummary', reseller: 'smsCampaignSummary', superAdmin: 'smsCampaignSummary' },
  },
  {
    path: '/sms-campaign-report/:campaignId',
    screen: 'sms-campaigns/SmsCampaignReport',
    texts: ['smsCampaigns'],
    group: 'messages',
    under: '/sms-campaign-summary',
    for: everyone,
  },
  {
    path: '/sms-inbox',
    screen: 'sms-inbox/SmsInbox',
    texts: ['smsInbox'],
    group: 'messages',
    for: { user: 'smsInbox', reseller: 'smsInbox', superAdmin: 'smsInbox' },
  },
  {
    path: '/sms-sender-ids',
    screen: 'sms-approvals/SenderIds',
    texts: ['smsApprovals'],
    group: 'ids',
    for: { user: 'senderIds', reseller: 'senderIds', superAdmin: 'senderIds' },
  },
  {
    path: '/sms-texts',
    screen: 'sms-approvals/SavedTexts',
    texts: ['smsApprovals'],
    group: 'messages',
    for: { user: 'smsTexts', reseller: 'smsTexts', superAdmin: 'smsTexts' },
  },
  {
    path: '/add-voice-files',
    screen: 'prompts/UploadVoiceFile',
    texts: ['prompts'],
    group: 'audio',
    for: { user: 'uploadVoiceFile', reseller: 'uploadVoiceFile' },
  },
  {
    path: '/voice-files',
    screen: 'prompts/VoiceFiles',
    texts: ['prompts'],
    group: 'audio',
    for: { user: 'voiceFiles', reseller: 'voiceFiles', superAdmin: 'promptsForApproval' },
  },
  {
    path: '/voice-packs',
    screen: 'voice-packs/VoicePacks',
    texts: ['voicePacks'],
    group: 'audio',
    for: { user: 'voicePacks', reseller: 'voicePacks', superAdmin: 'voicePacks' },
  },
  {
    path: '/voice-packs/:packId',
    screen: 'voice-packs/VoicePack',
    texts: ['voicePacks'],
    group: 'audio',
    for: everyone,
  },
  {
    path: '/contact-files',
    screen: 'contacts/ContactFiles',
    texts: ['contactFiles'],
    group: 'contacts',
    for: { user: 'contactFiles' },
  },
  {
    path: '/add-contact-file',
    screen: 'contacts/AddContactFile',
    texts: ['contactFiles'],
    group: 'contacts',
    under: '/contact-files',
    for: { user: null },
  },
  {
    path: '/contact-files/:base',
    screen: 'contacts/ContactFile',
    texts: ['contactFiles'],
    group: 'contacts',
    for: { user: null },
  },
  {
    path: '/add-voice-blacklist',
    screen: 'blacklist/AddVoiceBlacklist',
    texts: ['blacklist'],
    group: 'contacts',
    under: '/voice-blacklist',
    for: { user: 'addVoiceBlacklist', reseller: null, superAdmin: null },
  },
  {
    path: '/bulk-voice-blacklist',
    screen: 'blacklist/BulkVoiceBlacklist',
    texts: ['blacklist'],
    group: 'contacts',
    under: '/voice-blacklist',
    for: { user: 'bulkVoiceBlacklist', reseller: null, superAdmin: null },
  },
  {
    path: '/voice-blacklist',
    screen: 'blacklist/VoiceBlacklist',
    texts: ['blacklist'],
    group: 'contacts',
    for: { user: 'voiceBlacklist', reseller: 'voiceBlacklist', superAdmin: 'voiceBlacklist' },
  },
  {
    path: '/add-voice-plan',
    screen: 'plans/AddVoicePlan',
    texts: ['plans'],
    group: 'money',
    for: { reseller: 'addVoicePlan', superAdmin: 'addVoicePlan' },
  },
  {
    path: '/voice-plans',
    screen: 'plans/VoicePlans',
    texts: ['plans'],
    group: 'money',
    for: { reseller: 'voicePlans', superAdmin: 'voicePlans' },
  },
  {
    path: '/credits-history',
    screen: 'credits/CreditsHistory',
    texts: ['credits'],
    group: 'money',
    wide: true,
    for: { user: 'creditsHistory', reseller: 'creditsHistory', superAdmin: 'creditsHistory' },
  },
  {
    path: '/credits-statement',
    screen: 'credits/CreditsStatement',
    texts: ['credits'],
    group: 'money',
    for: { user: 'creditsStatement', reseller: 'creditsStatement', superAdmin: 'creditsStatement' },
  },
  {
    path: '/create-user',
    screen: 'users/CreateUser',
    texts: ['users'],
    group: 'customers',
    for: { reseller: 'createUser', superAdmin: 'createUser' },
  },
  {
    path: '/user-list',
    screen: 'users/UserList',
    texts: ['users'],
    group: 'customers',
    wide: true,
    for: { reseller: 'userList', superAdmin: 'userList' },
  },
  {
    path: '/update-user/:selectedUserId',
    screen: 'users/UpdateUser',
    texts: ['users'],
    group: 'customers',
    under: '/user-list',
    for: aboveUsers,
  },
  {
    path: '/customers/:selectedUserId',
    screen: 'customers/Customer',
    texts: ['customers', 'users'],
    group: 'customers',
    under: '/user-list',
    for: aboveUsers,
  },
  {
    path: '/super-admins',
    screen: 'users/SuperAdmins',
    texts: ['users'],
    group: 'customers',
    for: { superAdmin: 'superAdmins' },
  },
  ...operatorScreens,
  {
    path: '/developers',
    screen: 'developers/Developers',
    texts: [],
    group: 'settings',
    for: { user: 'developers', reseller: 'developers' },
  },
  { path: '/notices', screen: 'notices/Notices', texts: ['notices'], for: everyone },
  { path: '/user-profile', screen: 'profile/Profile', texts: ['profile'], for: everyone },
]

/** As in Vite's manifest and import.meta.glob, relative to web/. */
export function screenFile(line: ScreenLine): string {
  return `src/screens/${line.screen}Screen.tsx`
}
