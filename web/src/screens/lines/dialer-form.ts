import { dialerDefaults, dialerDrivers, type dialerRoutes } from '@ghanti/contract/dialers.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { SentOf } from '../../api/client.ts'

export type DialerDetail = ReplyOf<typeof dialerRoutes.detail>

/** Numbers are kept as typed. */
export type DialerValues = {
  dialerName: string
  dialerIP: string
  dialerPort: string
  driver: string | null
  /** The machine's limit on creation, the current cap on update. */
  cps: string
  totalChannels: string
  /** On update: the machine's limit. */
  machineCps: string
  machineChannels: string
  ariUser: string
  ariSecret: string
  tlsFingerprint: string
  mediaFolder: string
  mediaUrl: string
}

export const blankDialer: DialerValues = {
  dialerName: '',
  dialerIP: '',
  dialerPort: '',
  driver: null,
  cps: String(dialerDefaults.cps),
  totalChannels: String(dialerDefaults.totalChannels),
  machineCps: '',
  machineChannels: '',
  ariUser: '',
  ariSecret: '',
  tlsFingerprint: '',
  mediaFolder: '',
  mediaUrl: '',
}

export function valuesOfDialer(dialer: DialerDetail): DialerValues {
  const { ari } = dialer
  return {
    dialerName: dialer.dialerName,
    dialerIP: dialer.dialerIP,
    dialerPort: String(dialer.dialerPort),
    driver: dialer.driver,
    cps: String(dialer.cpsReduction ?? dialer.cps),
    totalChannels: String(dialer.channelReduction ?? dialer.totalChannels),
    machineCps: String(dialer.cps),
    machineChannels: String(dialer.totalChannels),
    ariUser: ari.user ?? '',
    ariSecret: '',
    tlsFingerprint: ari.tlsFingerprint ?? '',
    mediaFolder: ari.mediaFolder ?? '',
    mediaUrl: ari.mediaUrl ?? '',
  }
}

export function toCreateDialer(values: DialerValues): SentOf<typeof dialerRoutes.create> {
  return {
    ...addressOf(values),
    driver: dialerDrivers.find((driver) => driver === values.driver),
    cps: values.cps.trim(),
    totalChannels: values.totalChannels.trim(),
  }
}

export function toUpdateDialer(dialerId: number, values: DialerValues): SentOf<typeof dialerRoutes.update> {
  return {
    dialerId,
    ...addressOf(values),
    cpsReduction: values.cps.trim(),
    channelReduction: values.totalChannels.trim(),
    cps: values.machineCps.trim(),
    totalChannels: values.machineChannels.trim(),
  }
}

function addressOf(values: DialerValues) {
  return {
    dialerName: values.dialerName.trim(),
    dialerIP: values.dialerIP.trim(),
    dialerPort: values.dialerPort.trim(),
    ari: {
      user: blankAsNone(values.ariUser),
      secret: values.ariSecret === '' ? undefined : values.ariSecret,
      tlsFingerprint: blankAsNone(values.tlsFingerprint),
      mediaFolder: blankAsNone(values.mediaFolder),
      mediaUrl: blankAsNone(values.mediaUrl),
    },
  }
}

function blankAsNone(text: string): string | undefined {
  return text.trim() || undefined
}

const accessFields = {
  'ari.user': 'ariUser',
  'ari.secret': 'ariSecret',
  'ari.tlsFingerprint': 'tlsFingerprint',
  'ari.mediaFolder': 'mediaFolder',
  'ari.mediaUrl': 'mediaUrl',
} as const
export const fieldsOfDialer = {
  create: accessFields,
  update: {
    ...accessFields,
    cpsReduction: 'cps',
    channelReduction: 'totalChannels',
    cps: 'machineCps',
    totalChannels: 'machineChannels',
  },
} as const
