import type { ReplyOf } from '@ghanti/contract/route.ts'
import { cliFormats, cliHeaders, sipCodecs, sipTransports, type trunkRoutes } from '@ghanti/contract/trunks.ts'
import { ringSecondsDefault } from '@ghanti/contract/values.ts'
import type { SentOf } from '../../api/client.ts'

export type TrunkDetail = ReplyOf<typeof trunkRoutes.detail>

/** Numbers are kept as typed. */
export type TrunkValues = {
  trunkName: string
  pilotNumber: string
  dialerId: string | null
  channels: string
  cps: string
  sipHost: string
  sipPort: string
  transport: string | null
  sipUser: string
  sipSecret: string
  codecs: string[]
  cliFormat: string | null
  cliHeader: string | null
  numberStrip: string
  numberPrefix: string
  registers: boolean
  ringSeconds: string
  testNumber: string
}

export const blankTrunk: TrunkValues = {
  trunkName: '',
  pilotNumber: '',
  dialerId: null,
  channels: '',
  cps: '',
  sipHost: '',
  sipPort: '',
  transport: 'udp',
  sipUser: '',
  sipSecret: '',
  codecs: ['alaw', 'ulaw'],
  cliFormat: 'national',
  cliHeader: 'auto',
  numberStrip: '',
  numberPrefix: '',
  registers: false,
  ringSeconds: String(ringSecondsDefault),
  testNumber: '',
}

export function valuesOfTrunk({ sip, ...trunk }: TrunkDetail): TrunkValues {
  return {
    trunkName: trunk.trunkName,
    pilotNumber: trunk.pilotNumber,
    dialerId: String(trunk.dialerId),
    channels: String(trunk.channels),
    cps: String(trunk.cps),
    sipHost: sip.host ?? '',
    sipPort: sip.port === null ? '' : String(sip.port),
    transport: sip.transport,
    sipUser: sip.user ?? '',
    sipSecret: '',
    codecs: sip.codecs,
    cliFormat: sip.cliFormat,
    cliHeader: sip.cliHeader,
    numberStrip: sip.numberStrip,
    numberPrefix: sip.numberPrefix,
    registers: sip.registers,
    ringSeconds: String(sip.ringSeconds),
    testNumber: sip.testNumber ?? '',
  }
}

export function toCreateTrunk(values: TrunkValues): SentOf<typeof trunkRoutes.create> {
  const blankAsNone = (text: string) => text.trim() || undefined
  return {
    trunkName: values.trunkName.trim(),
    pilotNumber: values.pilotNumber.trim(),
    dialerId: values.dialerId ?? '',
    channels: values.channels.trim(),
    cps: values.cps.trim(),
    sip: {
      host: blankAsNone(values.sipHost),
      port: blankAsNone(values.sipPort),
      transport: sipTransports.find((transport) => transport === values.transport),
      user: blankAsNone(values.sipUser),
      secret: values.sipSecret === '' ? undefined : values.sipSecret,
      codecs: values.codecs.flatMap((codec) => sipCodecs.find((known) => known === codec) ?? []),
      cliFormat: cliFormats.find((format) => format === values.cliFormat),
      cliHeader: cliHeaders.find((header) => header === values.cliHeader),
      numberStrip: blankAsNone(values.numberStrip),
      numberPrefix: blankAsNone(values.numberPrefix),
      registers: values.registers,
      ringSeconds: blankAsNone(values.ringSeconds),
      testNumber: blankAsNone(values.testNumber),
    },
  }
}

export function toUpdateTrunk(trunkId: number, values: TrunkValues): SentOf<typeof trunkRoutes.update> {
  return { trunkId, ...toCreateTrunk(values) }
}

/** Form fields by wire name. */
export const fieldsOfTrunk = {
  'sip.host': 'sipHost',
  'sip.port': 'sipPort',
  'sip.transport': 'transport',
  'sip.user': 'sipUser',
  'sip.secret': 'sipSecret',
  'sip.codecs': 'codecs',
  'sip.cliFormat': 'cliFormat',
  'sip.cliHeader': 'cliHeader',
  'sip.numberStrip': 'numberStrip',
  'sip.numberPrefix': 'numberPrefix',
  'sip.registers': 'registers',
  'sip.ringSeconds': 'ringSeconds',
  'sip.testNumber': 'testNumber',
} as const
