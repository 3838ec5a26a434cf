import type { Role } from '@ghanti/contract/roles.ts'
import type { IconName } from './components/ui/Icon.tsx'
import type { Area } from './i18n/areas.ts'
import type { MenuLabel } from './i18n/en/common.ts'

/**
 * Every screen of the signed-in console. To add one:
 *   1. write src/screens/<area>/<Name>Screen.tsx with the screen as its default export and, if it has something to fetch, `export const loader = screenLoader(...)` (src/api/loader.ts);
 *   2. write its texts in src/i18n/en/<area>.ts and src/i18n/ne/<area>.ts and name the area in src/i18n/areas.ts;
 *   3. add one line here, and the menu label in src/i18n/{en,ne}/common.ts when it has one.
 * `for` says which roles may open it and under which label it stands in their sidebar; null = reachable, but not in the sidebar.
 * The order is that of the sidebar. A screen that does not exist fails the build.
 */
export type ScreenLine = {
  path: string
  /** <area>/<Name>, without 'Screen.tsx'. */
  screen: string
  texts: readonly Area[]
  icon: IconName
  for: Partial<Record<Role, MenuLabel | null>>
}

export const screens: readonly ScreenLine[] = [
  {
    path: '/',
    screen: 'dashboard/Dashboard',
    texts: ['dashboard'],
    icon: 'dashboard',
    for: { user: 'dashboard', reseller: 'dashboard', superAdmin: 'dashboard' },
  },
  {
    path: '/add-voice-campaign',
    screen: 'compose/Compose',
    texts: ['compose'],
    icon: 'plus',
    for: { user: 'composeVoiceCampaign' },
  },
  {
    path: '/voice-campaign-summary',
    screen: 'voice-campaigns/VoiceCampaignSummary',
    texts: ['voiceCampaigns'],
    icon: 'list',
    for: { user: 'voiceCampaignSummary', reseller: 'campaigns', superAdmin: 'campaigns' },
  },
  {
    path: '/voice-campaign-summary/:campaignId',
    screen: 'voice-campaigns/CampaignDetail',
    texts: ['voiceCampaigns', 'answers'],
    icon: 'list',
    for: { user: null, reseller: null, superAdmin: null },
  },
  {
    path: '/contact-files',
    screen: 'contacts/ContactFiles',
    texts: ['contactFiles'],
    icon: 'list',
    for: { user: 'contactFiles' },
  },
  {
    path: '/add-voice-files',
    screen: 'prompts/UploadVoiceFile',
    texts: ['prompts'],
    icon: 'upload',
    for: { user: 'uploadVoiceFile', reseller: 'uploadVoiceFile' },
  },
  {
    path: '/voice-files',
    screen: 'prompts/VoiceFiles',
    texts: ['prompts'],
    icon: 'volume',
    for: { user: 'voiceFiles', reseller: 'voiceFiles', superAdmin: 'promptsForApproval' },
  },
  {
    path: '/voice-packs',
    screen: 'voice-packs/VoicePacks',
    texts: ['voicePacks'],
    icon: 'volume',
    for: { user: 'voicePacks', reseller: 'voicePacks', superAdmin: 'voicePacks' },
  },
  {
    path: '/voice-packs/:packId',
    screen: 'voice-packs/VoicePack',
    texts: ['voicePacks'],
    icon: 'volume',
    for: { user: null, reseller: null, superAdmin: null },
  },
  {
    path: '/add-voice-plan',
    screen: 'plans/AddVoicePlan',
    texts: ['plans'],
    icon: 'plan',
    for: { reseller: 'addVoicePlan', superAdmin: 'addVoicePlan' },
  },
  {
    path: '/voice-plans',
    screen: 'plans/VoicePlans',
    texts: ['plans'],
    icon: 'plan',
    for: { reseller: 'voicePlans', superAdmin: 'voicePlans' },
  },
  {
    path: '/add-voice-blacklist',
    screen: 'blacklist/AddVoiceBlacklist',
    texts: ['blacklist'],
    icon: 'plus',
    for: { user: 'addVoiceBlacklist', reseller: null, superAdmin: null },
  },
  {
    path: '/bulk-voice-blacklist',
    screen: 'blacklist/BulkVoiceBlacklist',
    texts: ['blacklist'],
    icon: 'upload',
    for: { user: 'bulkVoiceBlacklist', reseller: null, superAdmin: null },
  },
  {
    path: '/create-user',
    screen: 'users/CreateUser',
    texts: ['users'],
    icon: 'plus',
    for: { reseller: 'createUser', superAdmin: 'createUser' },
  },
  {
    path: '/user-list',
    screen: 'users/UserList',
    texts: ['users', 'credits'],
    icon: 'users',
    for: { reseller: 'userList', superAdmin: 'userList' },
  },
  {
    path: '/voice-blacklist',
    screen: 'blacklist/VoiceBlacklist',
    texts: ['blacklist'],
    icon: 'ban',
    for: { user: 'voiceBlacklist', reseller: 'voiceBlacklist', superAdmin: 'voiceBlacklist' },
  },
  {
    path: '/update-user/:selectedUserId',
    screen: 'users/UpdateUser',
    texts: ['users'],
    icon: 'users',
    for: { reseller: null, superAdmin: null },
  },
  {
    path: '/credits-history',
    screen: 'credits/CreditsHistory',
    texts: ['credits'],
    icon: 'coins',
    for: { user: 'creditsHistory', reseller: 'creditsHistory', superAdmin: 'creditsHistory' },
  },
  {
    path: '/credits-statement',
    screen: 'credits/CreditsStatement',
    texts: ['credits'],
    icon: 'statement',
    for: { user: 'creditsStatement', reseller: 'creditsStatement', superAdmin: 'creditsStatement' },
  },
  {
    path: '/add-cli',
    screen: 'clis/AddCli',
    texts: ['clis'],
    icon: 'plus',
    for: { superAdmin: 'addCli' },
  },
  {
    path: '/cli-list',
    screen: 'clis/CliList',
    texts: ['clis'],
    icon: 'list',
    for: { user: 'cliList', reseller: 'cliList', superAdmin: 'cliList' },
  },
  {
    path: '/allocated-cli-list',
    screen: 'clis/CliList',
    texts: ['clis'],
    icon: 'list',
    for: { reseller: null, superAdmin: null },
  },
  {
    path: '/allocate-cli',
    screen: 'clis/AllocateCli',
    texts: ['clis'],
    icon: 'plus',
    for: { reseller: 'allocateCli', superAdmin: 'allocateCli' },
  },
  {
    path: '/upload-cli',
    screen: 'clis/UploadCli',
    texts: ['clis'],
    icon: 'upload',
    for: { superAdmin: null },
  },
  {
    path: '/dialer-list',
    screen: 'lines/DialerList',
    texts: ['lines'],
    icon: 'server',
    for: { superAdmin: 'dialers' },
  },
  {
    path: '/create-dialer',
    screen: 'lines/CreateDialer',
    texts: ['lines'],
    icon: 'server',
    for: { superAdmin: null },
  },
  {
    path: '/update-dialer/:selectedDialerId',
    screen: 'lines/UpdateDialer',
    texts: ['lines'],
    icon: 'server',
    for: { superAdmin: null },
  },
  {
    path: '/trunk-list',
    screen: 'lines/TrunkList',
    texts: ['lines'],
    icon: 'router',
    for: { superAdmin: 'trunks' },
  },
  {
    path: '/create-trunk',
    screen: 'lines/CreateTrunk',
    texts: ['lines'],
    icon: 'router',
    for: { superAdmin: null },
  },
  {
    path: '/update-trunk/:selectedTrunkId',
    screen: 'lines/UpdateTrunk',
    texts: ['lines'],
    icon: 'router',
    for: { superAdmin: null },
  },
  {
    path: '/trunk-codes/:selectedTrunkId',
    screen: 'lines/TrunkDispositions',
    texts: ['lines'],
    icon: 'router',
    for: { superAdmin: null },
  },
  {
    path: '/stop-dialling',
    screen: 'platform/StopDialling',
    texts: ['platform'],
    icon: 'stop',
    for: { superAdmin: 'stopAllDialling' },
  },
  {
    path: '/super-admins',
    screen: 'users/SuperAdmins',
    texts: ['users'],
    icon: 'user',
    for: { superAdmin: 'superAdmins' },
  },
  {
    path: '/calling-hours',
    screen: 'calling-hours/CallingHours',
    texts: ['callingHours'],
    icon: 'clock',
    for: { superAdmin: 'callingHours' },
  },
  {
    path: '/settings',
    screen: 'settings/Settings',
    texts: ['settings'],
    icon: 'settings',
    for: { superAdmin: 'settings' },
  },
  {
    path: '/audit-log',
    screen: 'audit/AuditLog',
    texts: ['audit'],
    icon: 'history',
    for: { user: 'auditLog', reseller: 'auditLog', superAdmin: 'auditLog' },
  },
  {
    path: '/alerts',
    screen: 'alerts/Alerts',
    texts: ['alerts'],
    icon: 'alert',
    for: { superAdmin: 'alerts' },
  },
  {
    path: '/branding',
    screen: 'branding/Branding',
    texts: ['branding'],
    icon: 'palette',
    for: { reseller: 'branding', superAdmin: 'branding' },
  },
  {
    path: '/notices',
    screen: 'notices/Notices',
    texts: ['notices'],
    icon: 'bell',
    for: { user: null, reseller: null, superAdmin: null },
  },
  {
    path: '/user-profile',
    screen: 'profile/Profile',
    texts: ['profile', 'notices'],
    icon: 'user',
    for: { user: null, reseller: null, superAdmin: null },
  },
]

/** As Vite's manifest and import.meta.glob name it, relative to web/. */
export function screenFile(line: ScreenLine): string {
  return `src/screens/${line.screen}Screen.tsx`
}
