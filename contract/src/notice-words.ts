import type { NoticeKind } from './notices.ts'

type NoticeFacts = { about: string; rupees: string }

/** The English of notices, on screen and in their CSV. */
export const noticeSentences = {
  lowBalance: ({ rupees }: NoticeFacts) => `Your balance is low: Rs ${rupees}`,
  childLowBalance: ({ about, rupees }: NoticeFacts) => `Balance of ${about} is low: Rs ${rupees}`,
  childChanged: ({ about }: NoticeFacts) => `The platform changed ${about}`,
  campaignComplete: ({ about }: NoticeFacts) => `Campaign ${about} is complete`,
  campaignHeld: ({ about }: NoticeFacts) => `Campaign ${about} is on hold`,
  campaignOutOfMoney: ({ about }: NoticeFacts) => `Campaign ${about} is out of money`,
  campaignFailed: ({ about }: NoticeFacts) => `Campaign ${about} failed`,
  campaignStopped: ({ about }: NoticeFacts) => `Campaign ${about} was stopped`,
  promptApproved: ({ about }: NoticeFacts) => `Voice file ${about} is approved`,
  promptRejected: ({ about }: NoticeFacts) => `Voice file ${about} is rejected`,
  voicePackApproved: ({ about }: NoticeFacts) => `The recordings of voice pack ${about} are approved`,
  voicePackRejected: ({ about }: NoticeFacts) => `The recordings of voice pack ${about} are rejected`,
  reportReady: ({ about }: NoticeFacts) => `Report of ${about} is ready`,
  exportReady: ({ about }: NoticeFacts) => `${about} is ready to be downloaded`,
  recordingsNearlyFull: ({ about }: NoticeFacts) => `Recordings have used 80 % of their ${about} MB`,
  recordingsFull: ({ about }: NoticeFacts) =>
    `Recordings have used all of their ${about} MB: conversations are no longer recorded`,
  trunkDown: ({ about }: NoticeFacts) => `Trunk ${about} is down`,
  senderApproved: ({ about }: NoticeFacts) => `Sender ID ${about} is approved`,
  senderRejected: ({ about }: NoticeFacts) => `Sender ID ${about} is rejected`,
  textApproved: ({ about }: NoticeFacts) => `Text ${about} is approved`,
  textRejected: ({ about }: NoticeFacts) => `Text ${about} is rejected`,
  gatewayDown: ({ about }: NoticeFacts) => `Gateway ${about} is down`,
  smsComplete: ({ about }: NoticeFacts) => `SMS campaign ${about} is complete`,
  smsHeld: ({ about }: NoticeFacts) => `SMS campaign ${about} is on hold`,
  smsOutOfMoney: ({ about }: NoticeFacts) => `SMS campaign ${about} is out of money`,
  smsFailed: ({ about }: NoticeFacts) => `SMS campaign ${about} failed`,
  smsStopped: ({ about }: NoticeFacts) => `SMS campaign ${about} was stopped`,
  repeatFailed: ({ about }: NoticeFacts) => `${about} was not composed: its repeating campaign says why`,
  newBrowser: ({ about }: NoticeFacts) => `New sign-in: ${about}`,
  passwordChanged: ({ about }: NoticeFacts) =>
    about === '' ? 'Your password was changed' : `Your password was changed: ${about}`,
  emailChanged: () => 'Your e-mail address was changed',
  factorChanged: ({ about }: NoticeFacts) =>
    about === '' ? 'Your second factor was changed' : `Your second factor was changed: ${about}`,
  keyMade: ({ about }: NoticeFacts) => `A key for a program was made: ${about}`,
  hookOff: ({ about }: NoticeFacts) => `Webhook ${about} is off`,
  wrongCodes: ({ about }: NoticeFacts) => `Somebody knows your password and tries codes: ${about}`,
} satisfies Record<NoticeKind, (facts: NoticeFacts) => string>
