import { plainSipOptions, type SipOptions } from './sip-options.ts'
import type { cliFormats, cliHeaders, sipCodecs, sipTransports } from './trunks.ts'

export const trunkPresetNames = ['ntc', 'ncell', 'sbc', 'asterisk'] as const
export type TrunkPresetName = (typeof trunkPresetNames)[number]

/** Fields of `sip` of a trunk. */
export type TrunkPreset = {
  transport: (typeof sipTransports)[number]
  codecs: readonly (typeof sipCodecs)[number][]
  cliFormat: (typeof cliFormats)[number]
  cliHeader: (typeof cliHeaders)[number]
  numberStrip: string
  numberPrefix: string
  registers: boolean
  options: SipOptions
}

const plainTrunk: TrunkPreset = {
  transport: 'udp',
  codecs: ['alaw', 'ulaw'],
  cliFormat: 'national',
  cliHeader: 'auto',
  numberStrip: '',
  numberPrefix: '',
  registers: false,
  options: plainSipOptions,
}

/**
 * The usual settings of such a trunk; the operator's contract decides. What only the operator can know (host, user, numbers) is never set. No preset
 * was tried with its operator: docs/operating/dialers-and-trunks.md.
 */
export const trunkPresets: Readonly<Record<TrunkPresetName, TrunkPreset>> = {
  ntc: {
    ...plainTrunk,
    codecs: ['alaw'],
    cliFormat: 'plus',
    cliHeader: 'both',
    numberPrefix: '+',
    registers: true,
    options: {
      ...plainSipOptions,
      identityHeader: 'preferred',
      userPhone: true,
      sessionSeconds: 600,
    },
  },
  ncell: { ...plainTrunk, codecs: ['alaw'], cliFormat: 'e164', cliHeader: 'both' },
  sbc: plainTrunk,
  asterisk: {
    ...plainTrunk,
    codecs: ['alaw', 'ulaw', 'g722'],
    cliHeader: 'from',
    options: { ...plainSipOptions, dtmf: 'rfc4733' },
  },
}
