import { plainAdvanced, type AdvancedValues, type TrunkValues } from './trunk-form.ts'

export const presetNames = ['ntc', 'ncell', 'sbc', 'asterisk'] as const
export type PresetName = (typeof presetNames)[number]

type Preset = AdvancedValues &
  Pick<TrunkValues, 'transport' | 'codecs' | 'cliFormat' | 'cliHeader' | 'numberStrip' | 'numberPrefix' | 'registers'>

const plainTrunk: Preset = {
  ...plainAdvanced,
  transport: 'udp',
  codecs: ['alaw', 'ulaw'],
  cliFormat: 'national',
  cliHeader: 'auto',
  numberStrip: '',
  numberPrefix: '',
  registers: false,
}

/**
 * The usual settings of such a trunk; the operator's contract decides. What only the operator can know (host, user, numbers) is never set. No preset
 * was tried with its operator: docs/operating/dialers-and-trunks.md.
 */
export const presets: Readonly<Record<PresetName, Preset>> = {
  ntc: {
    ...plainTrunk,
    codecs: ['alaw'],
    cliFormat: 'plus',
    cliHeader: 'both',
    numberPrefix: '+',
    registers: true,
    identityHeader: 'preferred',
    userPhone: true,
    sessionTimers: 'offered',
    sessionSeconds: '600',
  },
  ncell: { ...plainTrunk, codecs: ['alaw'], cliFormat: 'e164', cliHeader: 'both' },
  sbc: plainTrunk,
  asterisk: { ...plainTrunk, codecs: ['alaw', 'ulaw', 'g722'], cliHeader: 'from', dtmf: 'rfc4733' },
}
