import { messages } from '@ghanti/contract/messages.ts'
import type { Person, PersonField } from '@ghanti/contract/persons.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { channelsDefault, userTypes, type userRoutes } from '@ghanti/contract/users.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import { dayFault } from '../../components/dates/day.ts'
import type { SentOf } from '../../api/client.ts'

export type UserDetail = ReplyOf<typeof userRoutes.profile>

/** What is known of the person and the company, in the order of the form. Each is required, and has the same name on the wire. */
const looks = {
  name: { maxLength: 100 },
  company: { maxLength: 100 },
  emailid: { maxLength: 254, type: 'email' },
  number: { maxLength: 40, inputMode: 'tel' },
  address: { maxLength: 500 },
  pincode: { maxLength: 20 },
} as const satisfies Record<PersonField, { maxLength: number; type?: 'email'; inputMode?: 'tel' }>
export const personFields = Object.entries(looks) as [PersonField, (typeof looks)[PersonField]][]

/** The other fields, blank. Numbers are kept as typed. */
const blankService = {
  username: '',
  /** Whether the owner of a new account gets a link to choose the password, in place of one from here. */
  invite: false,
  password: '',
  confirm: '',
  userType: 'user' as string | null,
  accountType: null as string | null,
  planId: null as string | null,
  channels: String(channelsDefault),
  /** Rupees of a new account; blank: none. */
  credits: '',
  /** The id of a new account's caller ID. */
  clis: null as string | null,
  /** How it is written, for the welcome text. */
  cliShown: '',
  /** Empty unless it is a user. */
  recordingDays: '',
  /** 'yyyy-MM-dd' in Nepal; blank when the account never expires. */
  expiryDate: '',
  neverExpires: false,
  domain: '',
  logo: null as File | null,
}
export type UserValues = Person & typeof blankService

function personOf(textOf: (name: PersonField) => string): Person {
  return Object.fromEntries(personFields.map(([name]) => [name, textOf(name)])) as Person
}

export function blankUser(accountType: number | null): UserValues {
  return { ...blankService, ...personOf(() => ''), accountType: accountType === null ? null : String(accountType) }
}

export function valuesOfUser(user: UserDetail): UserValues {
  const { username, userType, planId, channels, expiryDate } = user
  return {
    ...blankService,
    ...personOf((name) => user[name]),
    username,
    userType,
    domain: user.domain ?? '',
    accountType: String(user.accountType),
    planId: planId === null ? null : String(planId),
    channels: String(channels ?? ''),
    recordingDays: String(user.recordingDays ?? ''),
    expiryDate: expiryDate?.slice(0, 10) ?? '',
    neverExpires: expiryDate === null,
  }
}

export const required = (value: string | null) => (value?.trim() ? null : 'is required')
const always = {
  ...(Object.fromEntries(personFields.map(([name]) => [name, required])) as Record<PersonField, typeof required>),
  userType: required,
  accountType: required,
  channels: required,
}

/** `kept`: the current day; an expired account may be changed without renewing it. */
export function expiryFault(day: string, kept: string, today: string): string | null {
  return dayFault(day) ?? (day === '' || day === kept || day >= today ? null : 'is before today')
}
const noEarlier = (day: string, kept: string) => expiryFault(day, kept, nepalDayOf(new Date()))

export const createRules = {
  ...always,
  username: required,
  planId: required,
  expiryDate: (day: string) => noEarlier(day, ''),
  password: (password: string, { invite }: UserValues) =>
    invite || password.length >= passwordMin ? null : messages.passwordShort,
  confirm: (confirm: string, { invite, password }: UserValues) =>
    invite || confirm === password ? null : messages.passwordsDiffer,
}
export const updateRules = ({ expiryDate: kept }: UserValues) => ({
  ...always,
  expiryDate: (day: string, { neverExpires }: UserValues) =>
    neverExpires ? null : day ? noEarlier(day, kept) : messages.expiryRequired,
})

export function toRegister(values: UserValues): SentOf<typeof userRoutes.registerWithBrand> {
  const { username, invite, password, domain, clis } = values
  return {
    ...sharedOf(values),
    username: username.trim(),
    ...(invite ? { invite } : { password }),
    planId: values.planId ?? '',
    channels: values.channels.trim(),
    credits: values.credits.trim(),
    domain: domain.trim(),
    ...(clis !== null && { clis: [clis] }),
  }
}

export function toUpdate(user: UserDetail, values: UserValues): SentOf<typeof userRoutes.update> {
  const { planId, channels, neverExpires } = values
  const isKept = user.recordingDaysMax !== null && values.userType === 'user'
  const recordingDays = isKept ? { recordingDays: values.recordingDays.trim() } : {}
  const own = { planId: planId ?? undefined, channels: channels.trim(), ...recordingDays }
  const never = neverExpires ? { expiryDate: 'never' } : {}
  return { userId: user.userId, ...sharedOf(values), ...own, ...domainOf(user.domain, values.domain.trim()), ...never }
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
function sharedOf(values: UserValues) {
  const { userType, accountType, expiryDate } = values
  return {
    ...personOf((name) => values[name].trim()),
    userType: userTypes.find((type) => type === userType) ?? '',
    accountType: accountType ?? '',
    expiryDate: expiryDate ? `${expiryDate} 23:59:59` : '',
  }
}
