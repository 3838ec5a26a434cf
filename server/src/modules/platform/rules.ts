import * as z from 'zod/mini'
import { SmsAddressHosts } from '@ghanti/contract/sms-address.ts'
import { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { OperatorPrefixes, operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import { defaultQuotas, Quotas } from '@ghanti/contract/quotas.ts'
import {
  ContactFileDays,
  DialerWaitMinutes,
  ExportDays,
  HistoryMonths,
  NumberCaps,
  SmsNumberCaps,
  SmsPricePaisa,
} from '@ghanti/contract/settings.ts'
import { InboxDays, OptOut, optOutDefault } from '@ghanti/contract/sms-inbox.ts'
import { TextApproval } from '@ghanti/contract/sms-texts.ts'
import { defaultCallingHours } from './rules-hours.ts'

/** What holds for the whole platform: the key in platform_setting, what it may be, what it is until a super admin sets it. */
export const settings = {
  callingHours: { key: 'calling_hours', schema: CallingHours, fallback: defaultCallingHours },
  /** Rows that are not final so many days after the campaign's time expire (docs/design.md#last-day). */
  dialDays: { key: 'dial_days', schema: z.int().check(z.minimum(1), z.maximum(90)), fallback: 7 },
  /** A contact file goes when no campaign was made of it for so many days. */
  contactFileDays: { key: 'contact_file_days', schema: ContactFileDays, fallback: 180 },
  /** An export goes so many days after it was made. */
  exportDays: { key: 'export_days', schema: ExportDays, fallback: 7 },
  /** Calls and messages are archived so many months after they were made; 0: never (docs/adr/29). */
  historyMonths: { key: 'history_months', schema: HistoryMonths, fallback: 0 },
  /** What each account may store (docs/adr/10). */
  quotas: { key: 'quotas', schema: Quotas, fallback: defaultQuotas },
  /** So long the calls of a dialer that does not answer are waited for. */
  dialerWaitMinutes: { key: 'dialer_wait_minutes', schema: DialerWaitMinutes, fallback: 10 },
  /** How often a number may be called on one of Nepal's days (docs/design.md#numbers-and-caps). */
  numberCaps: { key: 'number_caps', schema: NumberCaps, fallback: { answered: 3, attempted: 10, platform: 20 } },
  /** Whose a mobile number is, by its first digits. */
  operatorPrefixes: { key: 'operator_prefixes', schema: OperatorPrefixes, fallback: operatorPrefixesDefault },
  /** Which texts of messages wait for a super admin. */
  textApproval: { key: 'text_approval', schema: TextApproval, fallback: { promotional: false, words: [] } },
  /** How many messages a number may have on one of Nepal's days (docs/design.md#messages). */
  smsNumberCaps: { key: 'sms_number_caps', schema: SmsNumberCaps, fallback: { account: 5, platform: 20 } },
  /** When messages may be sent. */
  smsHours: { key: 'sms_hours', schema: CallingHours, fallback: defaultCallingHours },
  /** Of a segment, where a plan has no price of its own. */
  smsPricePaisa: { key: 'sms_price_paisa', schema: SmsPricePaisa, fallback: 150 },
  /** What people may write back, and what they are answered. */
  optOut: { key: 'opt_out', schema: OptOut, fallback: optOutDefault },
  /** So many days incoming messages are kept. */
  inboxDays: { key: 'inbox_days', schema: InboxDays, fallback: 180 },
  /** Private hosts, and those with ports of their own, that addresses after calls may lead to. */
  smsAddressHosts: { key: 'sms_address_hosts', schema: SmsAddressHosts, fallback: [] },
} as const
export type SettingName = keyof typeof settings
export type Setting<Name extends SettingName> = z.output<(typeof settings)[Name]['schema']>
