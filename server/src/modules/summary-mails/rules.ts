import { nepaliDigits } from '@ghanti/contract/nepali/digits.ts'
import type { Calendar, Language } from '@ghanti/contract/templates.ts'
import { formatsOf } from '../summaries/rules-page.ts'

export const confirmDays = 3
/** After its reader unsubscribed, an address cannot be added again for this long. */
export const stoppedDays = 30
/** The least time between two links to one address. */
export const againAfterMs = 5 * 60_000
/** The most pages of a daily mail; each shows one campaign. */
export const dailyPagesMax = 10
export const keptDays = 90

type Mailed = { subject: string; text: string }

/** In both languages, and without any text that the account wrote: the reader may be a stranger. */
export function confirmMail(link: string): Mailed {
  const { host } = new URL(link)
  return {
    subject: 'Receive summaries of campaigns here? · अभियानका सारांश यहाँ पठाउने हो?',
    text: `An account at ${host} wants to send summaries of its campaigns to this address.
If you want them, say so here, within ${confirmDays} days:

${link}

Otherwise do nothing: nothing is sent without your yes.

${host} को एउटा खाताले आफ्ना अभियानका सारांश यस ठेगानामा पठाउन चाहेको छ।
चाहनुहुन्छ भने माथिको लिङ्कबाट ${nepaliDigits(String(confirmDays))} दिनभित्र स्वीकार गर्नुहोस्।
नचाहे केही गर्नुपर्दैन: स्वीकार नगरी केही पठाइँदैन।
`,
  }
}

export type MailedSummaries = {
  kind: 'daily' | 'completion' | 'asked'
  language: Language
  calendar: Calendar
  /** The day in Nepal that a daily mail reports on; null for other mails. */
  day: string | null
  campaigns: number
  leftOut: number
  consoleLink: string
  stopLink: string
}

const sentences = {
  en: {
    one: 'Summary of a campaign',
    daily: (day: string) => `Summaries of ${day}`,
    dailyText: (count: string, day: string) =>
      `Campaigns that called on ${day}: ${count}. Their summaries are attached.`,
    completion: 'A campaign is complete. Its summary is attached.',
    asked: 'The summary of a campaign is attached.',
    leftOut: (count: string) => `Not attached: ${count} more campaigns of that day.`,
    console: 'Everything else is in the console:',
    stop: 'You get this because you said yes to it at this address. To get no more:',
  },
  ne: {
    one: 'अभियानको सारांश',
    daily: (day: string) => `${day} का सारांश`,
    dailyText: (count: string, day: string) => `${day} मा कल गरेका अभियान: ${count}। तिनका सारांश संलग्न छन्।`,
    completion: 'एउटा अभियान सम्पन्न भयो। सारांश संलग्न छ।',
    asked: 'एउटा अभियानको सारांश संलग्न छ।',
    leftOut: (count: string) => `त्यस दिनका थप ${count} अभियान संलग्न छैनन्।`,
    console: 'बाँकी सबै कन्सोलमा छ:',
    stop: 'यस ठेगानाबाट स्वीकार भएकाले यो इमेल आएको हो। अब नपाउन:',
  },
}

/** Subject and text of a mail. Names that the account gave appear only in its attachments. */
export function summariesMail({
  kind,
  language,
  calendar,
  day,
  campaigns,
  leftOut,
  ...links
}: MailedSummaries): Mailed {
  const t = sentences[language]
  const format = formatsOf({ language, calendar })
  const of = day === null ? '' : format.day(day)
  const what = kind === 'daily' ? t.dailyText(format.count(campaigns + leftOut), of) : t[kind]
  const more = leftOut > 0 ? `\n${t.leftOut(format.count(leftOut))}` : ''
  return {
    subject: kind === 'daily' ? t.daily(of) : t.one,
    text: `${what}${more}\n\n${t.console}\n${links.consoleLink}\n\n${t.stop}\n${links.stopLink}\n`,
  }
}

export function hourOf(nepalTime: string): number {
  return Number(nepalTime.slice(11, 13))
}
