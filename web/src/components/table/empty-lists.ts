import type { texts } from '../../i18n/en/empty-lists.ts'

/** The lists, as their empty state is called; a list of one role has a name of its own where its next step is another. */
export type EmptyList = keyof typeof texts

/** Where the next step is done. Without a place the sentence says it: with a button of the screen, or by nobody. */
export const placeOfNext: Partial<Record<EmptyList, string>> = {
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
}
