import { rupeesText } from '@ghanti/contract/money.ts'
import { nepaliDigits } from '@ghanti/contract/nepali/digits.ts'
import { noticeKindsOf, type NoticeChoice, type NoticeKind } from '@ghanti/contract/notices.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Language } from '@ghanti/contract/templates.ts'
import { nameInMail } from '../mail/rules.ts'

/** Every kind for the role, as chosen; on screen only where nothing was chosen. */
export function everyChoice(role: Role, chosen: readonly NoticeChoice[]): NoticeChoice[] {
  const byKind = new Map(chosen.map((choice) => [choice.kind, choice]))
  return noticeKindsOf[role].map((kind) => byKind.get(kind) ?? { kind, onScreen: true, byMail: false })
}

/** A kind that is not for the role, or that is listed twice. */
export function kindNotForRole(role: Role, choices: readonly NoticeChoice[]): NoticeKind | undefined {
  const own: readonly NoticeKind[] = noticeKindsOf[role]
  return choices.find(({ kind }, at) => !own.includes(kind) || choices.findIndex((one) => one.kind === kind) < at)?.kind
}

type MailedNotice = { kind: NoticeKind; paisa: number | null }

/**
 * What a mail says of each kind, in fixed words. Names of campaigns, files and accounts, and people's reasons, are shown only in the
 * console: otherwise anybody with an account could write to others in our name.
 */
const sentences: Record<Language, Record<NoticeKind, string>> = {
  en: {
    lowBalance: 'The balance of your account is low',
    childLowBalance: 'The balance of an account that you give credits is low',
    childChanged: 'The platform changed an account of yours',
    campaignComplete: 'Campaign complete',
    campaignHeld: 'Campaign on hold',
    campaignOutOfMoney: 'Campaign out of money',
    campaignFailed: 'Campaign failed',
    campaignStopped: 'Campaign stopped',
    promptApproved: 'Voice file approved',
    promptRejected: 'Voice file rejected',
    voicePackApproved: 'Voice pack approved',
    voicePackRejected: 'Voice pack rejected',
    reportReady: 'Report ready',
    exportReady: 'Export ready',
    recordingsNearlyFull: 'Your recordings have used 80 % of their room',
    recordingsFull: 'Your recordings have used all their room: conversations are no longer recorded',
    trunkDown: 'Trunk down',
    senderApproved: 'Sender ID approved',
    senderRejected: 'Sender ID rejected',
    textApproved: 'Text of messages approved',
    textRejected: 'Text of messages rejected',
    gatewayDown: 'Gateway of messages down',
    smsComplete: 'SMS campaign complete',
    smsHeld: 'SMS campaign on hold',
    smsOutOfMoney: 'SMS campaign out of money',
    smsFailed: 'SMS campaign failed',
    smsStopped: 'SMS campaign stopped',
    repeatFailed: 'Repeating campaign did not begin on its day',
    newBrowser: 'New sign-in to your account',
    passwordChanged: 'Your password was changed',
    emailChanged: 'Your e-mail address was changed',
    factorChanged: 'Your second factor was changed',
    keyMade: 'A key for a program was made',
    wrongCodes: 'Somebody knows your password',
    hookOff: 'A webhook is off: nothing arrived there',
  },
  ne: {
    lowBalance: 'तपाईँको खातामा ब्यालेन्स कम छ',
    childLowBalance: 'तपाईँले क्रेडिट दिने एउटा खातामा ब्यालेन्स कम छ',
    childChanged: 'प्लेटफर्मले तपाईँको एउटा खातामा परिवर्तन गर्‍यो',
    campaignComplete: 'अभियान सम्पन्न',
    campaignHeld: 'अभियान होल्डमा',
    campaignOutOfMoney: 'ब्यालेन्स सकिएर अभियान रोकियो',
    campaignFailed: 'अभियान असफल',
    campaignStopped: 'अभियान बन्द गरियो',
    promptApproved: 'भ्वाइस फाइल स्वीकृत',
    promptRejected: 'भ्वाइस फाइल अस्वीकृत',
    voicePackApproved: 'आवाज सेट स्वीकृत',
    voicePackRejected: 'आवाज सेट अस्वीकृत',
    reportReady: 'रिपोर्ट तयार',
    exportReady: 'एक्सपोर्ट तयार',
    recordingsNearlyFull: 'तपाईँका रेकर्डिङले ८०% ठाउँ लिइसके',
    recordingsFull: 'तपाईँका रेकर्डिङको ठाउँ भरियो: अब कुराकानी रेकर्ड हुँदैन',
    trunkDown: 'ट्रङ्क बन्द',
    senderApproved: 'सेन्डर आईडी स्वीकृत',
    senderRejected: 'सेन्डर आईडी अस्वीकृत',
    textApproved: 'सन्देशको पाठ स्वीकृत',
    textRejected: 'सन्देशको पाठ अस्वीकृत',
    gatewayDown: 'सन्देशको गेटवे बन्द',
    smsComplete: 'SMS अभियान सम्पन्न',
    smsHeld: 'SMS अभियान होल्डमा',
    smsOutOfMoney: 'ब्यालेन्स सकिएर SMS अभियान रोकियो',
    smsFailed: 'SMS अभियान असफल',
    smsStopped: 'SMS अभियान बन्द गरियो',
    repeatFailed: 'दोहोरिने अभियान तोकिएको दिन सुरु भएन',
    newBrowser: 'तपाईँको खातामा नयाँ लगइन भयो',
    passwordChanged: 'तपाईँको पासवर्ड बदलियो',
    emailChanged: 'तपाईँको इमेल ठेगाना बदलियो',
    factorChanged: 'तपाईँको दोस्रो प्रमाण बदलियो',
    keyMade: 'प्रोग्रामका लागि की बन्यो',
    wrongCodes: 'तपाईँको पासवर्ड अरूलाई थाहा छ',
    hookOff: 'वेबहुक बन्द भयो: त्यहाँ केही पुगेन',
  },
}
const details: Record<Language, string> = {
  en: 'The details are in the console:',
  ne: 'विवरण कन्सोलमा छ:',
}
const account: Record<Language, string> = { en: 'Account', ne: 'खाता' }

const rupeeSign: Record<Language, string> = { en: 'Rs', ne: 'रु' }

export function noticeMail(
  notices: readonly MailedNotice[],
  { language, link, username }: { language: Language; link: string; username: string },
): { subject: string; text: string } {
  const digits = (text: string) => (language === 'ne' ? nepaliDigits(text) : text)
  const texts = notices.map(({ kind, paisa }) => {
    const left = paisa === null ? '' : `: ${rupeeSign[language]} ${digits(rupeesText(paisa))}`
    return `${sentences[language][kind]}${left}`
  })
  const lines = [...new Set(texts)].map((line) => {
    const times = texts.filter((one) => one === line).length
    return times === 1 ? line : `${line} (${digits(String(times))})`
  })
  const name = nameInMail(username)
  const whose = name === null ? '' : `${account[language]}: ${name}\n`
  const more = notices.length > 1 ? ` (+${digits(String(notices.length - 1))})` : ''
  return {
    subject: `${texts[0] ?? ''}${more}`,
    text: `${lines.join('\n')}\n\n${whose}${details[language]}\n${link}\n`,
  }
}
