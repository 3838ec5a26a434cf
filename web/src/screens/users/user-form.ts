import { messages } from '@ghanti/contract/messages.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { channelsDefault, userTypes, type userRoutes } from '@ghanti/contract/users.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import { dayFault } from '../../components/dates/day.ts'
import type { SentOf } from '../../api/client.ts'

export type UserDetail = ReplyOf<typeof userRoutes.profile>

/** Numbers are kept as typed. */
export type UserValues = {
  username: string
  password: string
  confirm: string
  name: string
  emailid: string
  number: string
  company: string
  address: string
  pincode: string
  userType: string | null
  accountType: string | null
  planId: string | null
  channels: string
  /** Empty unless it is a user. */
  recordingDays: string
  /** 'yyyy-MM-dd' in Nepal; blank when the account never expires. */
  expiryDate: string
  neverExpires: boolean
  domain: string
  logo: File | null
}

export function blankUser(accountType: number | null): UserValues {
  const blank = { username: '', password: '', confirm: '', name: '', emailid: '', number: '', company: '' }
  const chosen = { userType: 'user', accountType: accountType === null ? null : String(accountType), planId: null }
  return {
    ...blank,
    ...chosen,
    address: '',
    pincode: '',
    channels: String(channelsDefault),
    recordingDays: '',
    expiryDate: '',
    neverExpires: false,
    domain: '',
    logo: null,
  }
}

export function valuesOfUser(user: UserDetail): UserValues {
  const { username, name, emailid, number, company, address, pincode, userType, planId, channels, expiryDate } = user
  const domain = user.domain ?? ''
  return {
    username,
    name,
    emailid,
    number,
    company,
    address,
    pincode,
    userType,
    password: '',
    confirm: '',
    domain,
    logo: null,
    accountType: String(user.accountType),
    planId: planId === null ? null : String(planId),
    channels: String(channels ?? ''),
    recordingDays: String(user.recordingDays ?? ''),
    expiryDate: expiryDate?.slice(0, 10) ?? '',
    neverExpires: expiryDate === null,
  }
}

export const required = (value: string | null) => (value?.trim() ? null : 'is required')
const always = { name: required, emailid: required, number: required, company: required, address: required }
const chosen = { pincode: required, userType: required, accountType: required, channels: required }

/** `kept`: the current day; an expired account may be changed without renewing it. */
export function expiryFault(day: string, kept: string, today: string): string | null {
  return dayFault(day) ?? (day === '' || day === kept || day >= today ? null : 'is before today')
}
const noEarlier = (day: string, kept: string) => expiryFault(day, kept, nepalDayOf(new Date()))

export const createRules = {
  ...always,
  ...chosen,
  username: required,
  planId: required,
  expiryDate: (day: string) => noEarlier(day, ''),
  password: (password: string) => (password.length < passwordMin ? messages.passwordShort : null),
  confirm: (confirm: string, { password }: UserValues) => (confirm === password ? null : messages.passwordsDiffer),
}
export const updateRules = ({ expiryDate: kept }: UserValues) => ({
  ...always,
  ...chosen,
  expiryDate: (day: string, { neverExpires }: UserValues) =>
    neverExpires ? null : day ? noEarlier(day, kept) : messages.expiryRequired,
})

export function toRegister(values: UserValues): SentOf<typeof userRoutes.registerWithBrand> {
  const { username, password, domain } = values
  return {
    ...personOf(values),
    username: username.trim(),
    password,
    planId: values.planId ?? '',
    channels: values.channels.trim(),
    domain: domain.trim(),
  }
}

export function toUpdate(user: UserDetail, values: UserValues): SentOf<typeof userRoutes.update> {
  const { planId, channels, neverExpires } = values
  const isKept = user.recordingDaysMax !== null && values.userType === 'user'
  const recordingDays = isKept ? { recordingDays: values.recordingDays.trim() } : {}
  const own = { planId: planId ?? undefined, channels: channels.trim(), ...recordingDays }
  const never = neverExpires ? { expiryDate: 'never' } : {}
  return { userId: user.userId, ...personOf(values), ...own, ...domainOf(user.domain, values.domain.trim()), ...never }
}

/** Whether recordings would be deleted, which needs a confirmation. */
export function keepsFewerDays(before: number | null, typed: string): boolean {
  const days = plainNumber(typed.trim())
  return before !== null && /^[1-9]\d*$/.test(days) && Number(days) < before
}

function domainOf(before: string | null, domain: string) {
  if (domain === (before ?? '')) return {}
  return domain === '' ? { removeDomain: 'true' as const } : { domain }
}

/** The account expires at the end of its last day in Nepal (specification 2 §5). */
function personOf(values: UserValues) {
  const { name, emailid, number, company, address, pincode, expiryDate } = values
  const typed = { name, emailid, number, company, address, pincode }
  return {
    ...(Object.fromEntries(Object.entries(typed).map(([key, text]) => [key, text.trim()])) as typeof typed),
    userType: userTypes.find((type) => type === values.userType) ?? '',
    accountType: values.accountType ?? '',
    expiryDate: expiryDate ? `${expiryDate} 23:59:59` : '',
  }
}
