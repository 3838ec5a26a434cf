import { afterCallTexts } from './after-call.ts'
import { hookTexts } from './hooks.ts'
import { alertTexts } from './alerts.ts'
import { nepaliDigits } from './digits.ts'
import { gapAfter } from './endings.ts'
import { contactTableTexts } from './contact-tables.ts'
import { fileKindTexts } from './file-kinds.ts'
import { fieldTexts } from './fields.ts'
import { trunkFieldTexts } from './trunk-fields.ts'
import { followupTexts } from './followups.ts'
import { gatewayTexts } from './gateways.ts'
import { lineTexts } from './lines.ts'
import { messageTexts } from './messages.ts'
import { moneyTexts } from './money.ts'
import { reasonTexts } from './reasons.ts'
import { smsReasonTexts } from './sms-reasons.ts'
import { smsTexts } from './sms.ts'
import { planTexts } from './plans.ts'
import { retentionTexts } from './retention.ts'
import { limitTexts } from './limits.ts'
import { repeatTexts } from './repeats.ts'
import { setupTexts } from './setups.ts'
import { smsCampaignTexts } from './sms-campaigns.ts'
import { sendTexts } from './sends.ts'
import { summaryMailTexts } from './summary-mails.ts'
import { userTexts } from './users.ts'
import { voiceTexts } from './voices.ts'

const all = [
  ...messageTexts,
  ...lineTexts,
  ...moneyTexts,
  ...userTexts,
  ...retentionTexts,
  ...planTexts,
  ...setupTexts,
  ...limitTexts,
  ...repeatTexts,
  ...smsCampaignTexts,
  ...sendTexts,
  ...summaryMailTexts,
  ...voiceTexts,
  ...smsTexts,
  ...afterCallTexts,
  ...hookTexts,
  ...followupTexts,
  ...gatewayTexts,
  ...smsReasonTexts,
  ...reasonTexts,
  ...alertTexts,
  ...contactTableTexts,
  ...fileKindTexts,
  ...fieldTexts,
  ...trunkFieldTexts,
]
const exact = new Map(all.filter((line): line is [string, string] => typeof line[0] === 'string'))
const patterns = all.filter((line): line is [RegExp, string] => line[0] instanceof RegExp)

/** The limit of a sentence: people's names and reasons are in it, and a pattern with two of them searches the words between in quadratic time. */
const sentenceLettersMax = 1000

/** The Nepali of a sentence by the server. An unknown one, or one that is too long, is returned in English. */
export function nepaliOf(english: string): string {
  const found = exact.get(english)
  if (found !== undefined) return found
  if (english.length > sentenceLettersMax) return english
  for (const [pattern, nepali] of patterns) {
    const match = pattern.exec(english)
    if (match) return filled(nepali, match)
  }
  const list = english.split(', ')
  return list.length > 1 ? list.map(nepaliOf).join(', ') : english
}

/** `{1}`, and the blank between it and a case ending (endings.ts). */
const hole =
  /\{([#~]?)(\d)\}((?: (?=(?:मा|को|का|की|कै|ले|लाई|बाट|सँग|भन्दा|मध्ये|बारे|पछि|अघि|सम्म|देखि)(?![\u0900-\u0963\u0970-\u097f])))?)/g

function filled(nepali: string, match: RegExpExecArray): string {
  return nepali.replace(hole, (_, how: string, group: string, gap: string) => {
    const part = match[Number(group)] ?? ''
    const said = how === '~' ? nepaliOf(part) : how === '#' ? nepaliDigits(part) : part
    return said + (gap && gapAfter(said))
  })
}
