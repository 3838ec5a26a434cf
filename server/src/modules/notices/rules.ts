import { rupeesOf } from '@ghanti/contract/money.ts'
import { nepaliDigits } from '@ghanti/contract/nepali/digits.ts'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { noticeKindsOf, type NoticeChoice, type NoticeKind } from '@ghanti/contract/notices.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Language } from '@ghanti/contract/templates.ts'

/** Every kind that the role is told of, as chosen; without a choice on screen only. */
export function everyChoice(role: Role, chosen: readonly NoticeChoice[]): NoticeChoice[] {
  const byKind = new Map(chosen.map((choice) => [choice.kind, choice]))
  return noticeKindsOf[role].map((kind) => byKind.get(kind) ?? { kind, onScreen: true, byMail: false })
}

/** A kind that the role is not told of, or that is there twice. */
export function strangeKind(role: Role, choices: readonly NoticeChoice[]): NoticeKind | undefined {
  const own: readonly NoticeKind[] = noticeKindsOf[role]
  return choices.find(({ kind }, at) => !own.includes(kind) || choices.findIndex((one) => one.kind === kind) < at)?.kind
}

type Told = { kind: NoticeKind; about: string; reason: string | null; paisa: number | null }

type Sentence = (about: string, rupees: string) => string
/** What a mail says of each kind; beside it stands no screen, so the sentence names the account. */
const sentences: Record<Language, Record<NoticeKind, Sentence>> = {
  en: {
    lowBalance: (about, rupees) => `Low balance: ${about} has Rs ${rupees}`,
    childLowBalance: (about, rupees) => `Low balance: ${about} has Rs ${rupees}`,
    campaignComplete: (about) => `Campaign complete: ${about}`,
    campaignHeld: (about) => `Campaign on hold: ${about}`,
    campaignOutOfMoney: (about) => `Campaign out of money: ${about}`,
    campaignFailed: (about) => `Campaign failed: ${about}`,
    campaignStopped: (about) => `Campaign stopped: ${about}`,
    promptApproved: (about) => `Voice file approved: ${about}`,
    promptRejected: (about) => `Voice file rejected: ${about}`,
    voicePackApproved: (about) => `Voice pack approved: ${about}`,
    voicePackRejected: (about) => `Voice pack rejected: ${about}`,
    reportReady: (about) => `Report ready: ${about}`,
    trunkDown: (about) => `Trunk down: ${about}`,
  },
  ne: {
    lowBalance: (about, rupees) => `मौज्दात कम: ${about} सँग रु ${rupees} छ`,
    childLowBalance: (about, rupees) => `मौज्दात कम: ${about} सँग रु ${rupees} छ`,
    campaignComplete: (about) => `अभियान सम्पन्न: ${about}`,
    campaignHeld: (about) => `अभियान होल्डमा: ${about}`,
    campaignOutOfMoney: (about) => `अभियानको मौज्दात सकियो: ${about}`,
    campaignFailed: (about) => `अभियान असफल: ${about}`,
    campaignStopped: (about) => `अभियान बन्द गरियो: ${about}`,
    promptApproved: (about) => `भ्वाइस फाइल स्वीकृत: ${about}`,
    promptRejected: (about) => `भ्वाइस फाइल अस्वीकृत: ${about}`,
    voicePackApproved: (about) => `रेकर्ड गरिएका आवाज स्वीकृत: ${about}`,
    voicePackRejected: (about) => `रेकर्ड गरिएका आवाज अस्वीकृत: ${about}`,
    reportReady: (about) => `रिपोर्ट तयार: ${about}`,
    trunkDown: (about) => `ट्रङ्क बन्द: ${about}`,
  },
}

const money = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** One mail for all that somebody is told of now. */
export function noticeMail(
  notices: readonly Told[],
  language: Language,
  link: string,
): { subject: string; text: string } {
  const digits = (text: string) => (language === 'ne' ? nepaliDigits(text) : text)
  const told = notices.map(({ kind, about, reason, paisa }) => {
    const sentence = sentences[language][kind](about, paisa === null ? '' : digits(money.format(rupeesOf(paisa))))
    if (reason === null) return sentence
    return `${sentence} (${language === 'ne' ? nepaliOf(reason) : reason})`
  })
  const more = notices.length > 1 ? ` (+${digits(String(notices.length - 1))})` : ''
  return { subject: `${(told[0] ?? '').slice(0, 100)}${more}`, text: `${told.join('\n')}\n\n${link}\n` }
}
