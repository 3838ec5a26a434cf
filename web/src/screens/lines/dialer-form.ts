import { dialerDefaults, dialerDrivers, type dialerRoutes } from '@ghanti/contract/dialers.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { SentOf } from '../../api/client.ts'
import {
  blankValues,
  bodyFrom,
  rulesOf,
  valuesFrom,
  type TypedField,
  type TypedValues,
} from '../../components/form/typed/typed-fields.ts'
import type { TextsOf } from '../../i18n/areas.ts'

export type DialerDetail = ReplyOf<typeof dialerRoutes.detail>
type Created = SentOf<typeof dialerRoutes.create>
type Updated = SentOf<typeof dialerRoutes.update>
type Texts = TextsOf<'lineForms'>['fields']

type DialerField = TypedField & {
  /** Of the connection, below a heading of its own. */
  isAccess?: true
  label: (t: Texts) => string
  hint?: (t: Texts) => string
}

const access = { kind: 'optional', isAccess: true } as const

const ofBoth = {
  dialerName: { kind: 'text', required: true, maxLength: 100, label: (t) => t.dialerName },
  dialerIP: { kind: 'text', required: true, maxLength: 253, label: (t) => t.dialerIP, hint: (t) => t.dialerIPHint },
  dialerPort: { kind: 'whole', required: true, label: (t) => t.dialerPort, hint: (t) => t.dialerPortHint },
} as const satisfies Record<string, DialerField>

const ofAccess = {
  ariUser: { ...access, wire: 'ari.user', maxLength: 100, label: (t) => t.ariUser },
  ariSecret: { ...access, kind: 'secret', wire: 'ari.secret', maxLength: 200, label: (t) => t.ariSecret },
  tlsFingerprint: {
    ...access,
    wire: 'ari.tlsFingerprint',
    maxLength: 95,
    label: (t) => t.tlsFingerprint,
    hint: (t) => t.tlsFingerprintHint,
  },
  mediaFolder: {
    ...access,
    wire: 'ari.mediaFolder',
    maxLength: 500,
    label: (t) => t.mediaFolder,
    hint: (t) => t.mediaFolderHint,
  },
  mediaUrl: { ...access, wire: 'ari.mediaUrl', maxLength: 500, label: (t) => t.mediaUrl, hint: (t) => t.mediaUrlHint },
} as const satisfies Record<string, DialerField>

/**
 * The fields of both forms, in the order of the screen: type, blank values, what is shown, what is sent and where an error stands follow from
 * here. A new dialer has its machine's limits, another one the caps of today besides (specification 2 §2).
 */
export const dialerFields = {
  create: {
    ...ofBoth,
    driver: { kind: 'choice', label: (t) => t.driver },
    cps: { kind: 'whole', blank: String(dialerDefaults.cps), label: (t) => t.cps },
    totalChannels: { kind: 'whole', blank: String(dialerDefaults.totalChannels), label: (t) => t.totalChannels },
    ...ofAccess,
  },
  update: {
    ...ofBoth,
    cpsReduction: { kind: 'whole', required: true, label: (t) => t.updateCps },
    channelReduction: { kind: 'whole', required: true, label: (t) => t.updateChannels },
    cps: { kind: 'whole', label: (t) => t.machineCps },
    totalChannels: { kind: 'whole', label: (t) => t.machineChannels },
    ...ofAccess,
  },
} as const satisfies Record<string, Record<string, DialerField>>

type Fields = typeof dialerFields
/** Of either form; a field that the other one has is there, and is not sent. */
export type DialerValues = TypedValues<Fields['create'] & Fields['update']>

const all = { ...dialerFields.update, ...dialerFields.create }
export const blankDialer: DialerValues = blankValues(all)

export function dialerRows(of: keyof Fields): [keyof DialerValues, DialerField][] {
  return Object.entries(dialerFields[of]) as [keyof DialerValues, DialerField][]
}

export const dialerRules = { create: rulesOf(dialerFields.create), update: rulesOf(dialerFields.update) }

/** A cap that nobody has set is the machine's limit. */
export function valuesOfDialer(dialer: DialerDetail): DialerValues {
  const cpsReduction = dialer.cpsReduction ?? dialer.cps
  const channelReduction = dialer.channelReduction ?? dialer.totalChannels
  return valuesFrom(all, { ...dialer, cpsReduction, channelReduction })
}

export function toCreateDialer(values: DialerValues): Created {
  const driver = dialerDrivers.find((one) => one === values.driver)
  return { ...bodyFrom(dialerFields.create, values), driver } as Created
}

export function toUpdateDialer(dialerId: number, values: DialerValues): Updated {
  return { dialerId, ...bodyFrom(dialerFields.update, values) } as Updated
}
