import type { NoticeKind, NoticeRow } from '@ghanti/contract/notices.ts'

const userOf = ({ about }: NoticeRow) => `/user-list?search=${encodeURIComponent(about)}`
const smsCampaignOf = ({ subjectId }: NoticeRow) => `/sms-campaign-report/${subjectId}`
const campaignOf = ({ subjectId }: NoticeRow) => `/voice-campaign-summary/${subjectId}`
const voiceFileOf = ({ about }: NoticeRow) => `/voice-files?search=${encodeURIComponent(about.slice(0, 100))}`
const voicePackOf = ({ subjectId }: NoticeRow) => `/voice-packs/${subjectId}`
const senderOf = ({ about }: NoticeRow) => `/sms-sender-ids?search=${encodeURIComponent(about)}`
const textOf = ({ about }: NoticeRow) => `/sms-texts?search=${encodeURIComponent(about)}`
const profileOf = () => '/user-profile'
/** Where the reader sees what a notice is about. */
export const placeOf: Record<NoticeKind, (row: NoticeRow) => string> = {
  lowBalance: () => '/credits-history',
  childLowBalance: userOf,
  childChanged: userOf,
  campaignComplete: campaignOf,
  campaignHeld: campaignOf,
  campaignOutOfMoney: campaignOf,
  campaignFailed: campaignOf,
  campaignStopped: campaignOf,
  promptApproved: voiceFileOf,
  promptRejected: voiceFileOf,
  voicePackApproved: voicePackOf,
  voicePackRejected: voicePackOf,
  reportReady: campaignOf,
  repeatFailed: ({ subjectId }) => `/repeating/${subjectId}`,
  exportReady: () => '/my-exports',
  recordingsNearlyFull: profileOf,
  recordingsFull: profileOf,
  trunkDown: ({ about }) => `/trunk-list?search=${encodeURIComponent(about)}`,
  senderApproved: senderOf,
  senderRejected: senderOf,
  textApproved: textOf,
  textRejected: textOf,
  gatewayDown: ({ about }) => `/gateway-list?search=${encodeURIComponent(about)}`,
  smsComplete: smsCampaignOf,
  smsHeld: smsCampaignOf,
  smsOutOfMoney: smsCampaignOf,
  smsFailed: smsCampaignOf,
  smsStopped: smsCampaignOf,
  newBrowser: profileOf,
  passwordChanged: profileOf,
  emailChanged: profileOf,
  factorChanged: profileOf,
  keyMade: () => '/developers',
  wrongCodes: profileOf,
  hookOff: () => '/developers?tab=webhooks',
}
