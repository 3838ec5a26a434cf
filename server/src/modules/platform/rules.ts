import * as z from 'zod/mini'
import { SmsAddressHosts } from '@ghanti/contract/sms-address.ts'
import { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { OperatorPrefixes, operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import { LostServer, lostServerDefault } from '@ghanti/contract/lost-server.ts'
import { defaultQuotas, Quotas } from '@ghanti/contract/quotas.ts'
import {
  ContactFileDays,
  DialerWaitMinutes,
  ExportDays,
  HistoryMonths,
  NumberCaps,
  ProofMinutes,
  SecondFactor,
  SmsNumberCaps,
  SmsPricePaisa,
} from '@ghanti/contract/settings.ts'
import { InboxDays, OptOut, optOutDefault } from '@ghanti/contract/sms-inbox.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { TextApproval } from '@ghanti/contract/sms-texts.ts'
import { defaultCallingHours } from './rules-hours.ts'

/** Platform settings: the key in platform_setting, the schema, and the value until a super admin sets one. */
export const settings = {
  callingHours: { key: 'calling_hours', schema: CallingHours, fallback: defaultCallingHours },
  /** This many days after the campaign's time, unfinished rows expire (docs/design.md#last-day). */
  dialDays: { key: 'dial_days', schema: z.int().check(z.minimum(1), z.maximum(90)), fallback: 7 },
  contactFileDays: { key: 'contact_file_days', schema: ContactFileDays, fallback: 180 },
  exportDays: { key: 'export_days', schema: ExportDays, fallback: 7 },
  /** After how many months calls and messages are archived; 0: never (docs/adr/29). */
  historyMonths: { key: 'history_months', schema: HistoryMonths, fallback: 0 },
  /** docs/adr/10 */
  quotas: { key: 'quotas', schema: Quotas, fallback: defaultQuotas },
  /** Whether a password that an account above chose must be changed at the next sign-in. */
  firstPassword: { key: 'first_password', schema: z.boolean(), fallback: true },
  /** Which accounts must have a second factor. */
  secondFactor: {
    key: 'second_factor',
    schema: SecondFactor,
    fallback: { superAdmins: 'off', resellers: 'off', users: 'off' },
  },
  proofMinutes: { key: 'proof_minutes', schema: ProofMinutes, fallback: 10 },
  dialerWaitMinutes: { key: 'dialer_wait_minutes', schema: DialerWaitMinutes, fallback: 10 },
  lostServer: { key: 'lost_server', schema: LostServer, fallback: lostServerDefault },
  /** Whether both sides hear a notice before their conversation is recorded. */
  recordingNotice: { key: 'recording_notice', schema: z.boolean(), fallback: false },
  /** Calls per number and day in Nepal (docs/design.md#numbers-and-caps). */
  numberCaps: { key: 'number_caps', schema: NumberCaps, fallback: { answered: 3, attempted: 10, platform: 20 } },
  operatorPrefixes: { key: 'operator_prefixes', schema: OperatorPrefixes, fallback: operatorPrefixesDefault },
  textApproval: { key: 'text_approval', schema: TextApproval, fallback: { promotional: false, words: [] } },
  /** Messages per number and day in Nepal (docs/design.md#messages). */
  smsNumberCaps: { key: 'sms_number_caps', schema: SmsNumberCaps, fallback: { account: 5, platform: 20 } },
  smsHours: { key: 'sms_hours', schema: CallingHours, fallback: defaultCallingHours },
  /** Per segment, where a plan has no price of its own. */
  smsPricePaisa: { key: 'sms_price_paisa', schema: SmsPricePaisa, fallback: 150 },
  optOut: { key: 'opt_out', schema: OptOut, fallback: optOutDefault },
  inboxDays: { key: 'inbox_days', schema: InboxDays, fallback: 180 },
  /** Private hosts and non-standard ports that addresses after calls may use. */
  smsAddressHosts: { key: 'sms_address_hosts', schema: SmsAddressHosts, fallback: [] },
} as const
export type SettingName = keyof typeof settings
export type Setting<Name extends SettingName> = z.output<(typeof settings)[Name]['schema']>

export function mustHaveFactor({ superAdmins, resellers, users }: Setting<'secondFactor'>, role: Role): boolean {
  const rule = { superAdmin: superAdmins, reseller: resellers, user: users }
  return rule[role] === 'required'
}
