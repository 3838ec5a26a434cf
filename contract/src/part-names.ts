import { ownValue } from './own-values.ts'

/** Parts of a call by name, without the number behind it. */
export const partNames = {
  prompt: 'Voice file',
  welcome: 'Welcome',
  menu: 'Menu',
  noInput: 'No input',
  wrongInput: 'Wrong input',
  thanks: 'Thanks',
  optin: 'Opt-in',
  optout: 'Opt-out',
  action: 'Action',
  date: 'Date',
  token: 'Token',
  amount: 'Amount',
  company: 'Name',
  service: 'Service',
  month: 'Month',
}

/** 'menu2' as 'Menu 2' in the words of `names`. A part without words stays as it is. */
export function partNameText(
  place: string,
  names: Readonly<Record<string, string>>,
  digits: (number: string) => string = String,
): string {
  const { role = '', number = '' } = /^(?<role>[a-zA-Z]+)(?<number>\d*)$/.exec(place)?.groups ?? {}
  const name = ownValue(names, role)
  return name === undefined ? place : `${name} ${digits(number)}`.trim()
}
