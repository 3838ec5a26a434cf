import type { partNames as englishPartNames } from '@ghanti/contract/part-names.ts'
import type * as english from '../en/flow-words.ts'

export const promptFiles: typeof english.promptFiles = {
  welcome: 'स्वागत फाइल',
  menu: 'मेनु फाइल',
  noInput: 'बटन नथिच्दाको फाइल',
  wrongInput: 'गलत बटनको फाइल',
  thanks: 'धन्यवाद फाइल',
  menu1: 'मेनु फाइल १',
  menu2: 'मेनु फाइल २',
  menu3: 'मेनु फाइल ३',
  menu4: 'मेनु फाइल ४',
  menu5: 'मेनु फाइल ५',
  optin1: 'सहमति फाइल १',
  optin2: 'सहमति फाइल २',
  optout1: 'असहमति फाइल १',
  optout2: 'असहमति फाइल २',
  action1: 'कार्य फाइल १',
  action2: 'कार्य फाइल २',
}

export const partNames: typeof englishPartNames = {
  prompt: 'भ्वाइस फाइल',
  welcome: 'स्वागत',
  menu: 'मेनु',
  noInput: 'बटन नथिच्दा',
  wrongInput: 'गलत बटन',
  thanks: 'धन्यवाद',
  optin: 'सहमति',
  optout: 'असहमति',
  action: 'कार्य',
  date: 'मिति',
  token: 'टोकन',
  amount: 'रकम',
  company: 'नाम',
  service: 'सेवा',
  month: 'महिना',
}

export const spokenLanguages: typeof english.spokenLanguages = { ne: 'नेपाली', en: 'अङ्ग्रेजी' }
export const spokenCalendars: typeof english.spokenCalendars = { ad: 'ईस्वी संवत् (ई.सं.)', bs: 'विक्रम संवत् (वि.सं.)' }
