import type { texts } from '../../i18n/en/empty-lists.ts'

/** The names of the lists' empty states. A list has a separate name for a role whose next step differs. */
export type EmptyList = keyof typeof texts

/**
 * Where to take the next step. Null: on the screen itself, which opens a dialog or shows more (`onNext` of its table). Without a place, the
 * sentence explains: the screen has a form for it, or there is nothing to do.
 */
export const placeOfNext: Partial<Record<EmptyList, string | null>> = {
  runningOwn: '/add-voice-campaign',
  runningBelow: '/voice-campaign-summary',
  voiceCampaigns: '/add-voice-campaign',
  voiceCampaignsBelow: '/user-list',
  callsOwn: '/add-voice-campaign',
  callsBelow: '/voice-campaign-summary',
  callsAll: '/voice-campaign-summary',
  setups: '/add-voice-campaign',
  repeating: '/add-repeating',
  exports: '/report',
  smsCampaigns: '/add-sms-campaign',
  smsCampaignsBelow: '/user-list',
  inboxOwn: '/add-sms-campaign',
  inboxBelow: '/sms-campaign-summary',
  inboxAll: '/gateway-list',
  contactFiles: '/add-contact-file',
  voiceFiles: '/add-voice-files',
  blacklist: '/add-voice-blacklist',
  plans: '/add-voice-plan',
  creditsBelow: '/user-list',
  users: '/create-user',
  clis: '/add-cli',
  allocatedClis: '/allocate-cli',
  dialers: '/create-dialer',
  trunks: '/create-trunk',
  gateways: '/create-gateway',
  notices: '/user-profile',
  senders: null,
  savedTexts: null,
  voicePacks: null,
  packWords: null,
  smsRoutes: null,
  hourExceptions: null,
  contracts: null,
  callRoutes: null,
}
