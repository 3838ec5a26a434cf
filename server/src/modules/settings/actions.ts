import { isDeepStrictEqual } from 'node:util'
import type { LostServer } from '@ghanti/contract/lost-server.ts'
import { operatorLabel, operators } from '@ghanti/contract/operators.ts'
import type { Tx } from '../../db/db.ts'
import { SpeechDownError, UnspeakableError, type TtsDriver } from '../../drivers/tts/driver.ts'
import { badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { changeSetting, settingOf } from '../platform/actions.ts'
import { requireSmsCovering } from '../plans/actions.ts'
import { inOrder, wordsOf } from '../platform/rules-hours.ts'
import type { Setting } from '../platform/rules.ts'

const saved = [
  'numberCaps',
  'dialerWaitMinutes',
  'firstPassword',
  'secondFactor',
  'proofMinutes',
  'lostServer',
  'quotas',
  'contactFileDays',
  'exportDays',
  'historyMonths',
  'operatorPrefixes',
  'textApproval',
  'smsNumberCaps',
  'smsHours',
  'smsPricePaisa',
  'optOut',
  'inboxDays',
  'smsAddressHosts',
] as const
type Saved = (typeof saved)[number]
type Wanted = { [Name in Saved]?: Setting<Name> | undefined }

type Words<Name extends Saved> = { title: string; words: (value: Setting<Name>) => string | number }
const asItIs = (count: number): number => count
const audited: { readonly [Name in Saved]: Words<Name> } = {
  numberCaps: {
    title: 'calls a number and day',
    words: ({ answered, attempted, platform }) =>
      `${answered} answered, ${attempted} in all; ${platform} on the platform`,
  },
  dialerWaitMinutes: { title: 'minutes to wait for a dialer', words: asItIs },
  firstPassword: { title: 'passwords from above are to be changed', words: (isOn) => (isOn ? 'yes' : 'no') },
  secondFactor: {
    title: 'second factor',
    words: ({ superAdmins, resellers, users }) =>
      `super admins: ${superAdmins}; resellers: ${resellers}; users: ${users}`,
  },
  proofMinutes: { title: 'minutes that a proof is good for', words: asItIs },
  lostServer: {
    title: 'calls without a server',
    words: ({ seconds, nepali, english }) =>
      `${seconds} s; said: ${[nepali, english].filter((text) => text !== '').join(' ') || '-'}`,
  },
  quotas: {
    title: 'quotas of an account',
    words: ({ megabytes, recordingMegabytes, rows, campaigns, prompts, blacklist }) =>
      `${megabytes} MB, ${recordingMegabytes} MB of recordings, ${rows} rows, ${campaigns} unfinished campaigns, ${prompts} voice files, ${blacklist} blacklisted numbers`,
  },
  contactFileDays: { title: 'days that unused contact files stay', words: asItIs },
  exportDays: { title: 'days that exports stay', words: asItIs },
  historyMonths: { title: 'months that calls and messages stay (0: for ever)', words: asItIs },
  operatorPrefixes: {
    title: 'prefixes of the operators',
    words: (prefixes) =>
      operators.map((operator) => `${operatorLabel[operator]} ${prefixes[operator].join(' ') || '-'}`).join(', '),
  },
  textApproval: {
    title: 'texts of messages that wait for approval',
    words: ({ promotional, words }) =>
      `${promotional ? 'those of promotional accounts' : 'not those of promotional accounts'}; with the words: ${words.join(', ') || '-'}`,
  },
  smsNumberCaps: {
    title: 'messages a number and day',
    words: ({ account, platform }) => `${account} of one account; ${platform} on the platform`,
  },
  smsHours: {
    title: 'messaging hours',
    words: (hours) => `${wordsOf(hours)}; holidays: ${hours.holidays.length}`,
  },
  smsPricePaisa: { title: 'paisa for a segment of a message', words: asItIs },
  optOut: {
    title: 'opt-out from messages',
    words: ({ stopWords, startWords, helpWords, confirm, confirmText, help, helpText }) =>
      `stop: ${stopWords.join(', ')}; start: ${startWords.join(', ') || '-'}; help: ${helpWords.join(', ') || '-'}; ` +
      `confirmation: ${confirm ? confirmText : '-'}; answer to help: ${help ? helpText : '-'}`,
  },
  inboxDays: { title: 'days that incoming messages stay', words: asItIs },
  smsAddressHosts: {
    title: 'private hosts that addresses after calls may lead to',
    words: (hosts) => hosts.join(', ') || '-',
  },
}

/** A sentence that the speech engine cannot say would never be heard. While the engine is down, it is taken as it is. */
async function requireSpeakable(tts: TtsDriver, { nepali, english }: LostServer): Promise<void> {
  for (const [field, language, text] of [
    ['lostServer.nepali', 'ne', nepali],
    ['lostServer.english', 'en', english],
  ] as const) {
    if (text === '') continue
    await tts.synthesise(text, language).catch((error: unknown) => {
      if (error instanceof UnspeakableError) throw badField(field, `cannot be spoken: ${error.message}`, 'not_readable')
      if (!(error instanceof SpeechDownError)) throw error
    })
  }
}

/** The engine applies them with its next tick. Raised caps free numbers that were to wait for tomorrow; lowered ones stop further calls. */
export async function saveSettings(ctx: Ctx, wanted: Wanted): Promise<void> {
  const { smsHours, smsPricePaisa, lostServer } = wanted
  if (lostServer !== undefined) await requireSpeakable(ctx.app.tts, lostServer)
  const values = { ...wanted, smsHours: smsHours && inOrder(smsHours) }
  await ctx.app.db.transaction().execute(async (tx) => {
    if (smsPricePaisa !== undefined) await requireSmsCovering(tx, smsPricePaisa)
    for (const name of saved) await save(tx, ctx, name, values)
  })
}

/** An unchanged setting leaves no audit line. */
async function save<Name extends Saved>(tx: Tx, ctx: Ctx, name: Name, wanted: Wanted): Promise<void> {
  const value = wanted[name]
  if (value === undefined) return
  const before = await settingOf(tx, name)
  if (isDeepStrictEqual(before, value)) return
  const { title, words } = audited[name]
  await changeSetting(tx, name, value, ctx.viewer.userId)
  await audit(tx, ctx, 'setting.change', 'platform', { name: title, before: words(before), after: words(value) })
}
