import { bsOfAd, dayOfIso, isoOf } from '@ghanti/callflow/speech/calendar.ts'
import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import { campaignStatusOf, dispositions, finishedStatuses, type Disposition } from '@ghanti/contract/campaign-status.ts'
import { nepaliDigits } from '@ghanti/contract/nepali/digits.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Calendar, Language } from '@ghanti/contract/templates.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { pendingCalls } from '../voice-campaigns/rules-csv.ts'
import { summaryWords, type SummaryWords } from './rules-words.ts'

/** The content of a summary, read by the functions that serve the campaign's page. */
export type Summary = {
  campaign: CampaignRow & { rowsInFile: number; invalid: number; duplicate: number }
  menus: CampaignAnswers['menus']
  at: Date
}

export type Written = { language: Language; calendar: Calendar }
type Line = { label: string; value: string; share?: string }
type Outcome = { disposition: Disposition; label: string; value: string; share: string; part: number }

export type SummaryPage = {
  language: Language
  title: string
  name: string
  facts: Line[]
  figures: { label: string; value: string; note: string }[]
  outcomes: { title: string; none: string; columns: [string, string]; lines: Outcome[] }
  numbers: { title: string; lines: Line[] }
  money: { title: string; lines: Line[] }
  keys: { title: string; none: string; columns: [string, string]; lines: Line[]; more: string | null }
  foot: string[]
}

const keyLinesMax = 14

const whole = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 0 })
const money = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export function formatsOf({ language, calendar }: Written) {
  const digits = (text: string) => (language === 'ne' ? nepaliDigits(text) : text)
  const dayOf = (day: string) => {
    const bs = calendar === 'bs' ? bsOfAd(dayOfIso(day)) : null
    return bs ? isoOf(bs) : day
  }
  return {
    digits,
    count: (value: number) => digits(whole.format(value)),
    rupees: (value: number) => digits(money.format(value)),
    /** Leaves out the seconds. */
    time: (wire: string) => digits(`${dayOf(wire.slice(0, 10))}${wire.slice(10, 16)}`),
    day: (wire: string) => digits(dayOf(wire.slice(0, 10))),
    percent: (part: number, of: number) => digits(percentOf(part, of)),
  }
}
type Formats = ReturnType<typeof formatsOf>

/** One decimal below ten per cent. Shows 0 only for none and 100 only for all. */
function percentOf(part: number, of: number): string {
  if (of === 0) return '–'
  const percent = (part / of) * 100
  if (percent > 0 && percent < 0.1) return '<0.1 %'
  if (percent >= 99 && percent < 100) return `${Math.floor(percent * 10) / 10} %`
  return `${percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent)} %`
}

export function pageOf({ campaign, menus, at }: Summary, written: Written): SummaryPage {
  const t = summaryWords[written.language]
  const format = formatsOf(written)
  const status = campaignStatusOf(campaign.campaignStatus)
  const isOver = status !== undefined && (finishedStatuses as readonly string[]).includes(status)
  const keys = keyLines(menus, t, format)
  return {
    language: written.language,
    title: t.title,
    name: campaign.campaignName,
    facts: [
      { label: t.account, value: campaign.username },
      { label: t.campaignId, value: format.digits(String(campaign.campaignId)) },
      { label: t.state, value: status ? t.status[status] : '' },
      { label: t.scheduled, value: format.time(campaign.scheduleTime) },
      { label: t.cli, value: format.digits(campaign.cli) },
    ],
    figures: figuresOf(campaign, t, format),
    outcomes: outcomesOf(campaign, t, format),
    numbers: { title: t.contacts, lines: numberLines(campaign, t, format) },
    money: { title: t.money, lines: moneyLines(campaign, t, format) },
    keys: {
      title: t.keys,
      none: t.noKeys,
      columns: [t.calls, t.share],
      lines: keys.slice(0, keyLinesMax),
      more: keys.length > keyLinesMax ? t.moreKeys(format.count(keys.length - keyLinesMax)) : null,
    },
    foot: [
      t.made(format.time(nepalTimeOf(at))),
      ...(written.calendar === 'bs' ? [t.bikramSambat] : []),
      ...(isOver ? [] : [t.unfinished]),
    ],
  }
}

function figuresOf(c: Summary['campaign'], t: SummaryWords, format: Formats): SummaryPage['figures'] {
  const each = c.callsConnected === 0 ? null : c.cost / c.callsConnected
  return [
    { label: t.numbers, value: format.count(c.numbersUploaded), note: t.ofAttempts(format.count(c.attempts)) },
    {
      label: t.finalShort,
      value: format.count(c.numbersProcessed),
      note: t.ofNumbers(format.percent(c.numbersProcessed, c.numbersUploaded)),
    },
    {
      label: t.answered,
      value: format.count(c.callsConnected),
      note: t.ofNumbers(format.percent(c.callsConnected, c.numbersUploaded)),
    },
    {
      label: t.cost,
      value: t.rupees(format.rupees(c.cost)),
      note: each === null ? '–' : t.perAnswer(format.rupees(each)),
    },
  ]
}

function outcomesOf({ outcomes }: CampaignRow, t: SummaryWords, format: Formats): SummaryPage['outcomes'] {
  const counted = dispositions.flatMap((disposition) => {
    const count = outcomes[disposition] ?? 0
    return count > 0 ? [{ disposition, count }] : []
  })
  const all = counted.reduce((sum, { count }) => sum + count, 0)
  const lines = counted.map(({ disposition, count }) => ({
    disposition,
    label: t.dispositions[disposition],
    value: format.count(count),
    share: format.percent(count, all),
    part: count / all,
  }))
  return { title: t.outcomes, none: t.noCalls, columns: [t.calls, t.share], lines }
}

function numberLines(c: Summary['campaign'], t: SummaryWords, format: Formats): Line[] {
  return [
    { label: t.rowsInFile, value: format.count(c.rowsInFile) },
    { label: t.invalid, value: format.count(c.invalid) },
    { label: t.duplicate, value: format.count(c.duplicate) },
    { label: t.dnd, value: format.count(c.dndCount) },
    { label: t.final, value: format.count(c.numbersProcessed) },
    { label: t.pending, value: format.count(pendingCalls(c)) },
  ]
}

function moneyLines(c: CampaignRow, t: SummaryWords, format: Formats): Line[] {
  return [
    { label: t.attempts, value: format.count(c.attempts) },
    { label: t.answered, value: format.count(c.callsConnected) },
    { label: t.keyed, value: format.count(c.dtmfCount) },
    { label: t.pulses, value: format.count(c.pulses) },
    { label: t.cost, value: t.rupees(format.rupees(c.cost)) },
  ]
}

function keyLines(menus: Summary['menus'], t: SummaryWords, format: Formats): Line[] {
  return menus.flatMap((menu, at) => {
    const line = (label: string, count: number): Line => ({
      label: menus.length === 1 ? label : `${t.menu} ${format.digits(String(at + 1))}: ${label}`,
      value: format.count(count),
      share: format.percent(count, menu.asked),
    })
    return [
      ...menu.keys.map(({ key, label, count }) => line(keyText(key, label, t, format), count)),
      line(t.wrong, menu.wrong),
      line(t.noKey, menu.none),
      line(t.left, menu.left),
    ]
  })
}

/** 'Key 1', or '1 (Interested)' where the campaign gave it a name. */
function keyText(key: string, label: string | null, t: SummaryWords, format: Formats): string {
  return label === null ? `${t.key} ${format.digits(key)}` : `${format.digits(key)} (${label})`
}

/** '2 of 5' for the foot of each page; null when there is only one page. */
export function pageNumbers(pages: number, written: Written): (string | null)[] {
  if (pages === 1) return [null]
  const { digits } = formatsOf(written)
  const all = digits(String(pages))
  return Array.from({ length: pages }, (_, at) => summaryWords[written.language].page(digits(String(at + 1)), all))
}
