import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import {
  dtmfModes,
  identityHeaders,
  plainSipOptions,
  rel100Modes,
  sessionTimerModes,
  type SipOptions,
} from '@ghanti/contract/sip-options.ts'
import type { TrunkPreset } from '@ghanti/contract/trunk-presets.ts'
import { cliFormats, cliHeaders, sipCodecs, sipTransports, type trunkRoutes } from '@ghanti/contract/trunks.ts'
import { ringSecondsDefault } from '@ghanti/contract/values.ts'
import type { SentOf } from '../../api/client.ts'

export type TrunkDetail = ReplyOf<typeof trunkRoutes.detail>

/** Settings that only some operators need, under 'Advanced'. Lists and numbers are kept as typed. */
export type AdvancedValues = {
  authUser: string
  fromDomain: string
  outboundProxy: string
  hosts: string
  byDns: boolean
  contactUser: string
  identityHeader: string | null
  diversion: string
  userPhone: boolean
  sendsOptions: boolean
  aors: string
  addresses: string
  shownClis: string
  clientCertificate: string
  srtp: boolean
  dtmf: string | null
  rel100: string | null
  sessionTimers: string | null
  sessionSeconds: string
  silentSeconds: string
  rtpTimeoutSeconds: string
  rewriteContact: boolean
  ptimeMs: string
  rtpDscp: string
}

/** Numbers are kept as typed. */
export type TrunkValues = AdvancedValues & {
  trunkName: string
  pilotNumber: string
  dialerId: string | null
  channels: string
  cps: string
  /** Null: none. */
  contractId: string | null
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

function advancedOf(options: SipOptions): AdvancedValues {
  return {
    authUser: options.authUser,
    fromDomain: options.fromDomain,
    outboundProxy: options.outboundProxy,
    hosts: options.hosts.join(', '),
    byDns: options.byDns,
    contactUser: options.contactUser,
    identityHeader: options.identityHeader,
    diversion: options.diversion,
    userPhone: options.userPhone,
    sendsOptions: options.sendsOptions,
    aors: options.aors.join(', '),
    addresses: options.addresses.join(', '),
    shownClis: options.shownClis.join(', '),
    clientCertificate: options.clientCertificate,
    srtp: options.srtp,
    dtmf: options.dtmf,
    rel100: options.rel100,
    sessionTimers: options.sessionTimers,
    sessionSeconds: String(options.sessionSeconds),
    silentSeconds: String(options.silentSeconds),
    rtpTimeoutSeconds: String(options.rtpTimeoutSeconds),
    rewriteContact: options.rewriteContact,
    ptimeMs: String(options.ptimeMs),
    rtpDscp: String(options.rtpDscp),
  }
}

export const plainAdvanced: AdvancedValues = advancedOf(plainSipOptions)

export function isAdvanced(values: AdvancedValues): boolean {
  const { ...now }: Record<string, unknown> = values
  return Object.entries(plainAdvanced).some(([name, value]) => ownValue(now, name) !== value)
}

/** What a preset fills in. */
export function valuesOfPreset({ options, codecs, ...preset }: TrunkPreset): Partial<TrunkValues> {
  return { ...preset, codecs: [...codecs], ...advancedOf(options) }
}

export const blankTrunk: TrunkValues = {
  ...plainAdvanced,
  trunkName: '',
  pilotNumber: '',
  dialerId: null,
  channels: '',
  cps: '',
  contractId: null,
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
    contractId: trunk.contractId === null ? null : String(trunk.contractId),
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
    ...advancedOf(sip),
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
    contractId: values.contractId ?? 0,
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
      ...optionsOf(values),
    },
  }
}

const listed = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '')

/** Numbers may be written with blanks, and lines divide them as commas do. */
const shownClisOf = (text: string): string[] => text.split(/[,;\n]+/).flatMap((one) => one.replaceAll(/\s/g, '') || [])

function optionsOf(values: AdvancedValues): SentOf<typeof trunkRoutes.create>['sip'] {
  return {
    authUser: values.authUser.trim(),
    fromDomain: values.fromDomain.trim(),
    outboundProxy: values.outboundProxy.trim(),
    hosts: listed(values.hosts),
    byDns: values.byDns,
    contactUser: values.contactUser.trim(),
    identityHeader: identityHeaders.find((header) => header === values.identityHeader),
    diversion: values.diversion.replaceAll(/[\s-]/g, ''),
    userPhone: values.userPhone,
    sendsOptions: values.sendsOptions,
    aors: listed(values.aors),
    addresses: listed(values.addresses),
    shownClis: shownClisOf(values.shownClis),
    clientCertificate: values.clientCertificate.trim(),
    srtp: values.srtp,
    dtmf: dtmfModes.find((mode) => mode === values.dtmf),
    rel100: rel100Modes.find((mode) => mode === values.rel100),
    sessionTimers: sessionTimerModes.find((mode) => mode === values.sessionTimers),
    sessionSeconds: values.sessionSeconds.trim() || undefined,
    silentSeconds: values.silentSeconds.trim() || undefined,
    rtpTimeoutSeconds: values.rtpTimeoutSeconds.trim() || undefined,
    rewriteContact: values.rewriteContact,
    ptimeMs: values.ptimeMs.trim() || undefined,
    rtpDscp: values.rtpDscp.trim() || undefined,
  }
}

export function toUpdateTrunk(trunkId: number, values: TrunkValues): SentOf<typeof trunkRoutes.update> {
  return { trunkId, ...toCreateTrunk(values) }
}

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
  'sip.authUser': 'authUser',
  'sip.fromDomain': 'fromDomain',
  'sip.outboundProxy': 'outboundProxy',
  'sip.hosts': 'hosts',
  'sip.byDns': 'byDns',
  'sip.contactUser': 'contactUser',
  'sip.identityHeader': 'identityHeader',
  'sip.diversion': 'diversion',
  'sip.userPhone': 'userPhone',
  'sip.sendsOptions': 'sendsOptions',
  'sip.aors': 'aors',
  'sip.addresses': 'addresses',
  'sip.shownClis': 'shownClis',
  'sip.clientCertificate': 'clientCertificate',
  'sip.srtp': 'srtp',
  'sip.dtmf': 'dtmf',
  'sip.rel100': 'rel100',
  'sip.sessionTimers': 'sessionTimers',
  'sip.sessionSeconds': 'sessionSeconds',
  'sip.silentSeconds': 'silentSeconds',
  'sip.rtpTimeoutSeconds': 'rtpTimeoutSeconds',
  'sip.rewriteContact': 'rewriteContact',
  'sip.ptimeMs': 'ptimeMs',
  'sip.rtpDscp': 'rtpDscp',
} as const
