import { templates, type TemplateId } from '@ghanti/contract/templates.ts'

const [simple, dtmf, patch, auto1, auto2, auto3, insurance, reminder, consultancy] = templates
export const templateTypes: Readonly<Record<TemplateId, string>> = {
  0: simple.typeLabel,
  1: dtmf.typeLabel,
  2: patch.typeLabel,
  3: auto1.typeLabel,
  4: auto2.typeLabel,
  5: auto3.typeLabel,
  6: insurance.typeLabel,
  7: reminder.typeLabel,
  8: consultancy.typeLabel,
}

/** By a file's role in the flow. */
export const promptFiles = {
  welcome: 'Welcome file',
  menu: 'Menu file',
  noInput: 'No-input file',
  wrongInput: 'Wrong-input file',
  thanks: 'Thanks file',
  menu1: 'Menu file 1',
  menu2: 'Menu file 2',
  menu3: 'Menu file 3',
  menu4: 'Menu file 4',
  menu5: 'Menu file 5',
  optin1: 'Opt-in file 1',
  optin2: 'Opt-in file 2',
  optout1: 'Opt-out file 1',
  optout2: 'Opt-out file 2',
  action1: 'Action file 1',
  action2: 'Action file 2',
}

export const spokenLanguages = { ne: 'Nepali', en: 'English' }
export const spokenCalendars = { ad: 'AD', bs: 'Bikram Sambat' }
