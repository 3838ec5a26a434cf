import { dialable, nationalOf } from '@ghanti/contract/phone.ts'
import type { Trunk } from '../../driver.ts'

/** The called number in the operator's form. `number` is E.164 with its plus. */
export function calledAs(
  number: string,
  { numberStrip, numberPrefix }: Pick<Trunk, 'numberStrip' | 'numberPrefix'>,
): string {
  const digits = number.replace(/^\+/, '')
  const rest = digits.startsWith(numberStrip) ? digits.slice(numberStrip.length) : digits
  return numberPrefix + rest
}

/** The caller ID in the operator's form. Short codes and names have no other form and stay as entered. */
export function cliAs(cli: string, cliFormat: Trunk['cliFormat']): string {
  const phone = dialable(cli)
  if (!phone || cliFormat === 'asIs') return cli
  if (cliFormat === 'national') return nationalOf(phone.e164)
  return cliFormat === 'plus' ? phone.e164 : phone.e164.slice(1)
}
