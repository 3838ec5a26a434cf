import { isDeepStrictEqual } from 'node:util'
import { operatorLabel, operators } from '@ghanti/contract/operators.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import {
  changeSetting,
  contactFileDays,
  dialerWaitMinutes,
  exportDays,
  historyMonths,
  inboxDays,
  numberCaps,
  operatorPrefixes,
  optOut,
  quotasOfPlatform,
  smsAddressHosts,
  smsHours,
  smsNumberCaps,
  smsPricePaisa,
  textApproval,
} from '../platform/actions.ts'
import { requireSmsCovering } from '../plans/actions.ts'
import { inOrder, wordsOf } from '../platform/rules-hours.ts'
import type { Setting, SettingName } from '../platform/rules.ts'

type Wanted = {
  numberCaps?: Setting<'numberCaps'> | undefined
  dialerWaitMinutes?: number | undefined
  quotas?: Setting<'quotas'> | undefined
  contactFileDays?: number | undefined
  exportDays?: number | undefined
  historyMonths?: number | undefined
  operatorPrefixes?: Setting<'operatorPrefixes'> | undefined
  textApproval?: Setting<'textApproval'> | undefined
  smsNumberCaps?: Setting<'smsNumberCaps'> | undefined
  smsHours?: Setting<'smsHours'> | undefined
  smsPricePaisa?: number | undefined
  optOut?: Setting<'optOut'> | undefined
  inboxDays?: number | undefined
  smsAddressHosts?: Setting<'smsAddressHosts'> | undefined
}

/** How the audit log words a setting and its value. */
type Words<Name extends SettingName> = {
  title: string
  now: (db: Db) => Promise<Setting<Name>>
  words: (value: Setting<Name>) => string | number
}
const asItIs = (count: number): number => count
const callsADay: Words<'numberCaps'> = {
  title: 'calls a number and day',
  now: numberCaps,
  words: ({ answered, attempted, platform }) =>
    `${answered} answered, ${attempted} in all; ${platform} on the platform`,
}
const wait: Words<'dialerWaitMinutes'> = {
  title: 'minutes to wait for a dialer',
  now: dialerWaitMinutes,
  words: asItIs,
}
const quotasOfAccount: Words<'quotas'> = {
  title: 'quotas of an account',
  now: quotasOfPlatform,
  words: ({ megabytes, recordingMegabytes, rows, campaigns, prompts, blacklist }) =>
    `${megabytes} MB, ${recordingMegabytes} MB of recordings, ${rows} rows, ${campaigns} unfinished campaigns, ${prompts} voice files, ${blacklist} blacklisted numbers`,
}
const fileDays: Words<'contactFileDays'> = {
  title: 'days that unused contact files stay',
  now: contactFileDays,
  words: asItIs,
}
const daysOfExports: Words<'exportDays'> = { title: 'days that exports stay', now: exportDays, words: asItIs }
const monthsOfHistory: Words<'historyMonths'> = {
  title: 'months that calls and messages stay (0: for ever)',
  now: historyMonths,
  words: asItIs,
}
const prefixesOfOperators: Words<'operatorPrefixes'> = {
  title: 'prefixes of the operators',
  now: operatorPrefixes,
  words: (prefixes) =>
    operators.map((operator) => `${operatorLabel[operator]} ${prefixes[operator].join(' ') || '-'}`).join(', '),
}
const textsToApprove: Words<'textApproval'> = {
  title: 'texts of messages that wait for approval',
  now: textApproval,
  words: ({ promotional, words }) =>
    `${promotional ? 'those of promotional accounts' : 'not those of promotional accounts'}; with the words: ${words.join(', ') || '-'}`,
}
const messagesADay: Words<'smsNumberCaps'> = {
  title: 'messages a number and day',
  now: smsNumberCaps,
  words: ({ account, platform }) => `${account} of one account; ${platform} on the platform`,
}
const hoursOfMessages: Words<'smsHours'> = {
  title: 'hours of messages',
  now: smsHours,
  words: (hours) => `${wordsOf(hours)}; holidays: ${hours.holidays.length}`,
}
const priceOfSegment: Words<'smsPricePaisa'> = {
  title: 'paisa for a segment of a message',
  now: smsPricePaisa,
  words: asItIs,
}

const wordsOfOptOut: Words<'optOut'> = {
  title: 'opt-out from messages',
  now: optOut,
  words: ({ stopWords, startWords, helpWords, confirm, confirmText, help, helpText }) =>
    `stop: ${stopWords.join(', ')}; start: ${startWords.join(', ') || '-'}; help: ${helpWords.join(', ') || '-'}; ` +
    `confirmation: ${confirm ? confirmText : '-'}; answer to help: ${help ? helpText : '-'}`,
}
const daysOfInbox: Words<'inboxDays'> = { title: 'days that incoming messages stay', now: inboxDays, words: asItIs }
const hostsOfAddresses: Words<'smsAddressHosts'> = {
  title: 'private hosts that addresses after calls may lead to',
  now: smsAddressHosts,
  words: (hosts) => hosts.join(', ') || '-',
}

/** The engine applies them with its next tick. Raised caps free numbers that were to wait for tomorrow; lowered ones stop further calls. */
export async function saveSettings(ctx: Ctx, wanted: Wanted): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    await save(tx, ctx, 'numberCaps', wanted.numberCaps, callsADay)
    await save(tx, ctx, 'dialerWaitMinutes', wanted.dialerWaitMinutes, wait)
    await save(tx, ctx, 'quotas', wanted.quotas, quotasOfAccount)
    await save(tx, ctx, 'contactFileDays', wanted.contactFileDays, fileDays)
    await save(tx, ctx, 'exportDays', wanted.exportDays, daysOfExports)
    await save(tx, ctx, 'historyMonths', wanted.historyMonths, monthsOfHistory)
    await save(tx, ctx, 'operatorPrefixes', wanted.operatorPrefixes, prefixesOfOperators)
    await save(tx, ctx, 'textApproval', wanted.textApproval, textsToApprove)
    await save(tx, ctx, 'smsNumberCaps', wanted.smsNumberCaps, messagesADay)
    await save(tx, ctx, 'smsHours', wanted.smsHours && inOrder(wanted.smsHours), hoursOfMessages)
    if (wanted.smsPricePaisa !== undefined) await requireSmsCovering(tx, wanted.smsPricePaisa)
    await save(tx, ctx, 'smsPricePaisa', wanted.smsPricePaisa, priceOfSegment)
    await save(tx, ctx, 'optOut', wanted.optOut, wordsOfOptOut)
    await save(tx, ctx, 'inboxDays', wanted.inboxDays, daysOfInbox)
    await save(tx, ctx, 'smsAddressHosts', wanted.smsAddressHosts, hostsOfAddresses)
  })
}

/** An unchanged setting leaves no audit line. */
async function save<Name extends SettingName>(
  tx: Tx,
  ctx: Ctx,
  name: Name,
  value: Setting<Name> | undefined,
  { title, now, words }: Words<Name>,
): Promise<void> {
  if (value === undefined) return
  const before = await now(tx)
  if (isDeepStrictEqual(before, value)) return
  await changeSetting(tx, name, value, ctx.viewer.userId)
  await audit(tx, ctx, 'setting.change', 'platform', { name: title, before: words(before), after: words(value) })
}
