import { dialable } from '@ghanti/contract/phone.ts'

/** Digits that no telephone number of a country has alone: codes, and numbers of houses and pages. */
const codeDigitsMax = 8
const abroadDigitsMin = 7
const amountDigitsMax = 9
/** Of a value; more of them beside each other are a number in groups. */
const amountsMax = 2

/** Whether a skeleton could be read as a telephone number of any country. Amounts, dates, times and codes of up to eight digits are none. */
export function hasTelephoneNumber(skeleton: string): boolean {
  if (isShort(skeleton)) return false
  const read = skeleton.replaceAll(/[A-Za-z0-9]+/g, withDigits)
  return read.split(/[\p{L}\p{M}]+/u).some(isNumber) || read.split(/\s+/).some(isBrokenByLetters)
}

/** The quick look: whether there are too few digits, and letters like them, for any number. */
function isShort(skeleton: string): boolean {
  let [digits, letters] = [0, 0]
  for (const sign of skeleton)
    if (sign >= '0' && sign <= '9') digits++
    else if ('OoIl'.includes(sign)) letters++
  const most = digits === 0 ? 0 : digits + letters
  return most < abroadDigitsMin || (most <= codeDigitsMax && !skeleton.includes('+'))
}

/** '98OOl' is read as '98001': letters that look like digits, in a word that has nothing else than these and digits. */
function withDigits(word: string): string {
  if (!/\d/.test(word) || !/^[\dOoIl]+$/.test(word)) return word
  return word.replaceAll(/[Oo]/g, '0').replaceAll(/[Il]/g, '1')
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** `chain`: digits and whatever stands between them, but letters. */
function isNumber(chain: string): boolean {
  const digits = digitsOf(chain)
  if (digits.length < abroadDigitsMin) return false
  const plus = chain.search(/\+[ (]?\d/)
  if (plus !== -1 && digitsOf(chain.slice(plus)).length >= abroadDigitsMin) return true
  const figures = chain.match(/\d+(?:[.,:/-]\d+)*/g) ?? []
  if (!figures.every(isTime) && dialable(digits) !== null) return true
  const others = figures.filter((figure) => !isTime(figure))
  const loose = others.filter((figure) => others.length > amountsMax || !isAmount(figure))
  return loose.reduce((sum, figure) => sum + digitsWithoutYear(figure), 0) > codeDigitsMax
}

/** '98x41x23x45x67'. A mobile's alone, because policies and invoices have numbers of letters and digits. */
function isBrokenByLetters(word: string): boolean {
  if (!/\p{L}/u.test(word)) return false
  const digits = digitsOf(word)
  return digits.length >= 10 && dialable(digits)?.kind === 'mobile'
}

/** '2083-0012345' has seven. */
function digitsWithoutYear(figure: string): number {
  const groups = figure.split(/[.,:/-]/)
  if (groups.length > 1 && isYear(groups[0])) groups.shift()
  return groups.join('').length
}

const isYear = (group: string | undefined): boolean => /^(?:19[5-9]|20\d|21[0-4])\d$/.test(group ?? '')
const isUpTo = (group: string | undefined, max: number): boolean =>
  /^\d{1,2}$/.test(group ?? '') && Number(group) <= max

/** A date, a year like '2083/84', a time, or two dates joined by a dash. */
function isTime(figure: string): boolean {
  if (/^\d{1,2}:\d\d(?::\d\d)?$/.test(figure)) return true
  if (isDate(figure)) return true
  const [first, second, ...more] = figure.split('-')
  if (more.length === 0 && second !== undefined && [first, second].every((one) => isDate(one ?? ''))) return true
  const groups = figure.split('-')
  return groups.length === 6 && isDate(groups.slice(0, 3).join('-')) && isDate(groups.slice(3).join('-'))
}

function isDate(figure: string): boolean {
  const groups = figure.split(/[./-]/)
  const [first, second, third] = groups
  if (groups.length === 2) return isYear(first) && /^\d{2,4}$/.test(second ?? '')
  if (groups.length !== 3) return false
  if (isYear(first)) return isUpTo(second, 12) && isUpTo(third, 32)
  return isYear(third) && isUpTo(first, 32) && isUpTo(second, 32)
}

/** '12,34,567.50', '1,234,567' or '12345.50'. With commas below a hundred crore, which is the most that calls speak. */
function isAmount(figure: string): boolean {
  const [whole = '', decimals, ...more] = figure.split('.')
  if (more.length > 0 || (decimals !== undefined && !/^\d{1,2}$/.test(decimals))) return false
  const isGrouped = /^[1-9]\d?(?:,\d\d)*,\d{3}$/.test(whole) || /^[1-9]\d{0,2}(?:,\d{3})+$/.test(whole)
  const digits = digitsOf(whole).length
  return isGrouped
    ? digits <= amountDigitsMax
    : decimals !== undefined && /^\d+$/.test(whole) && digits <= codeDigitsMax
}
