import { inject } from 'vitest'
import type { DialerAddress, Trunk } from '../driver.ts'

/** The telephony project's dialer, with a folder of its own for sounds. */
export function asteriskDialer(folder: string): DialerAddress {
  const { dialer } = inject('asterisk')
  return { ...dialer, certificate: null, media: { folder } }
}

/** Leads to the virtual operator. */
export function operatorTrunk(name: string, other: Partial<Trunk> = {}): Trunk {
  return {
    name,
    ...inject('asterisk').operator,
    transport: 'udp',
    user: '',
    secret: '',
    codecs: ['alaw', 'ulaw'],
    registers: false,
    cliFormat: 'national',
    numberStrip: '',
    numberPrefix: '',
    ...other,
  }
}
