import { rupeesOf } from '@ghanti/contract/money.ts'
import { noticeKindsOf, type NoticeChoice, type NoticeKind } from '@ghanti/contract/notices.ts'
import type { Role } from '@ghanti/contract/roles.ts'

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

const sentences: Record<NoticeKind, (about: string, rupees: string) => readonly [english: string, nepali: string]> = {
  lowBalance: (about, rupees) => [`Low balance: ${about} has Rs ${rupees}`, `मौज्दात कम: ${about} सँग रु ${rupees} छ`],
  childLowBalance: (about, rupees) => [
    `Low balance: ${about} has Rs ${rupees}`,
    `मौज्दात कम: ${about} सँग रु ${rupees} छ`,
  ],
  campaignComplete: (about) => [`Campaign complete: ${about}`, `अभियान सम्पन्न: ${about}`],
  campaignHeld: (about) => [`Campaign on hold: ${about}`, `अभियान होल्डमा: ${about}`],
  campaignOutOfMoney: (about) => [`Campaign out of money: ${about}`, `अभियानको मौज्दात सकियो: ${about}`],
  campaignFailed: (about) => [`Campaign failed: ${about}`, `अभियान असफल: ${about}`],
  campaignStopped: (about) => [`Campaign stopped: ${about}`, `अभियान बन्द गरियो: ${about}`],
  promptApproved: (about) => [`Voice file approved: ${about}`, `भ्वाइस फाइल स्वीकृत: ${about}`],
  promptRejected: (about) => [`Voice file rejected: ${about}`, `भ्वाइस फाइल अस्वीकृत: ${about}`],
  voicePackApproved: (about) => [`Voice pack approved: ${about}`, `रेकर्ड गरिएका आवाज स्वीकृत: ${about}`],
  voicePackRejected: (about) => [`Voice pack rejected: ${about}`, `रेकर्ड गरिएका आवाज अस्वीकृत: ${about}`],
  reportReady: (about) => [`Report ready: ${about}`, `रिपोर्ट तयार: ${about}`],
  trunkDown: (about) => [`Trunk down: ${about}`, `ट्रङ्क बन्द: ${about}`],
}

/** One mail for all that somebody is told of now, each in both languages: which one he prefers is known to his browser alone. */
export function noticeMail(notices: readonly Told[], link: string): { subject: string; text: string } {
  const told = notices.map(({ kind, about, reason, paisa }) => {
    const [english, nepali] = sentences[kind](about, paisa === null ? '' : rupeesOf(paisa).toFixed(2))
    return { english: reason === null ? english : `${english} (${reason})`, nepali }
  })
  const [first] = told
  const more = notices.length > 1 ? ` (+${notices.length - 1})` : ''
  return {
    subject: `${(first?.english ?? '').slice(0, 100)}${more}`,
    text: `${told.map(({ english, nepali }) => `${english}\n${nepali}`).join('\n\n')}\n\n${link}\n`,
  }
}
