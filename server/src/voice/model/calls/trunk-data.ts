import { createHash } from 'node:crypto'
import { SipOptions } from '@ghanti/contract/sip-options.ts'
import * as z from 'zod/mini'
import type { DialerAddress, Trunk } from '../../../drivers/telephony/driver.ts'
import { ariSecretPurpose, sipSecretPurpose } from '../../../modules/dialers/rules-secrets.ts'
import { mediaAddress } from '../../../lib/media-address.ts'
import { unseal } from '../../../lib/secrets.ts'
import type { DialerRow, TrunkRow } from '../campaigns/snapshot.sql.ts'

export type DialerSettings = {
  /** Opens the sealed credentials. */
  secret: Buffer
  /** Where dialers without a setting of their own find prompts. */
  mediaFolder: string
}

/** A trunk cannot be used with its settings. The message is a sentence for people. */
export class UnusableTrunkError extends Error {
  override readonly name = 'UnusableTrunkError'
}

export function addressOf(
  dialer: DialerRow,
  { secret, mediaFolder }: DialerSettings,
  installation: string,
): DialerAddress {
  const { host, port, ari_user, ari_secret_sealed, tls_fingerprint, media_folder, media_url } = dialer
  return {
    host,
    port,
    user: ari_user ?? '',
    secret: opened(secret, ariSecretPurpose, ari_secret_sealed),
    certificate: tls_fingerprint,
    media:
      media_url === null
        ? { folder: media_folder ?? mediaFolder }
        : { addressOf: (hash) => mediaAddress(media_url, secret, dialer, hash) },
    owner: { installation, dialerId: dialer.id, name: dialer.name },
  }
}

export function trunkOf(row: TrunkRow, driver: string, { secret }: DialerSettings): Trunk {
  if (row.sip_host === null && driver !== 'simulator') throw new UnusableTrunkError('it has no SIP host')
  return {
    name: trunkName(row.id),
    host: row.sip_host ?? '',
    port: row.sip_port ?? (row.sip_transport === 'tls' ? 5061 : 5060),
    transport: row.sip_transport,
    user: row.sip_user ?? '',
    secret: opened(secret, sipSecretPurpose, row.sip_secret_sealed),
    codecs: row.codecs,
    registers: row.registers,
    cliFormat: row.cli_format,
    cliHeader: row.cli_header,
    numberStrip: row.number_strip,
    numberPrefix: row.number_prefix,
    options: z.parse(SipOptions, row.sip_options),
  }
}

function opened(secret: Buffer, purpose: string, sealed: string | null): string {
  if (sealed === null) return ''
  try {
    return unseal(secret, purpose, sealed)
  } catch {
    throw new UnusableTrunkError('its password cannot be read: SECRET is not what it was when it was entered')
  }
}

/** The trunk's name on a dialer. It does not contain the name that people gave it, so renaming a trunk stops no call. */
export function trunkName(trunkId: number): string {
  return `trunk-${trunkId}`
}

/** Replaces the dialer's name of a trunk, in what the dialer says, with the name that people gave it. */
export function withGivenName(reason: string, trunk: { id: number; name: string }): string {
  return reason.replaceAll(/\btrunk-\d+/g, (name) => (name === trunkName(trunk.id) ? trunk.name : name))
}

/** Changes with every setting that decides whether calls over the trunk pass. It is stored with a hold, so no setting can be read back from it. */
export function settingsMark(dialer: DialerRow, row: TrunkRow): string {
  const { host, port, ari_user, ari_secret_sealed, tls_fingerprint } = dialer
  const all = [host, port, ari_user, ari_secret_sealed, tls_fingerprint, settingsTextOf([row])]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** Changes with every setting of the trunks that is sent to the dialer. */
export function settingsTextOf(rows: readonly TrunkRow[]): string {
  return JSON.stringify(
    rows.map((row) => [
      row.id,
      row.sip_host,
      row.sip_port,
      row.sip_transport,
      row.sip_user,
      row.sip_secret_sealed,
      row.codecs,
      row.registers,
      row.sip_options,
      row.cli_format,
      row.cli_header,
      row.number_strip,
      row.number_prefix,
    ]),
  )
}
