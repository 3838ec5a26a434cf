import { httpMethods, smsAlphabets, smsBinds, smsLongMessages, hostOfUrl } from '@ghanti/contract/sms-gateways.ts'
import type { smsGatewayRoutes, SmsDriverName } from '@ghanti/contract/sms-gateways.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import * as z from 'zod/mini'
import type { OpenGateway } from '../../drivers/sms/driver.ts'
import { unseal } from '../../lib/secrets.ts'
import { isLoopback, plainFingerprint } from '../dialers/rules-address.ts'

/** The purpose that sealed gateway secrets are bound to (secrets.ts). */
export const gatewaySecretsPurpose = 'sms_gateway.secrets'

export type GatewayInput = InputOf<typeof smsGatewayRoutes.create>

const limits = { window: z.number(), tps: z.number() }
const nullable = z._default(z.nullable(z.number()), null)
const stored = {
  simulator: z.object({
    ...limits,
    fault: z._default(z.nullable(z.enum(['unreachable', 'refusesLogin', 'throttles', 'silent', 'cuts'])), null),
  }),
  smpp: z.object({
    ...limits,
    host: z.string(),
    port: z.number(),
    systemId: z.string(),
    systemType: z._default(z.string(), ''),
    bind: z._default(z.enum(smsBinds), 'transceiver'),
    tls: z._default(z.boolean(), false),
    certificate: z._default(z.nullable(z.string()), null),
    sourceTon: nullable,
    sourceNpi: nullable,
    destTon: z._default(z.number(), 1),
    destNpi: z._default(z.number(), 1),
    alphabet: z._default(z.enum(smsAlphabets), 'gsm7'),
    longMessages: z._default(z.enum(smsLongMessages), 'udh'),
    serviceType: z._default(z.string(), ''),
  }),
  http: z.object({
    ...limits,
    method: z.enum(httpMethods),
    url: z.string(),
    headers: z._default(z.record(z.string(), z.string()), {}),
    body: z._default(z.string(), ''),
    success: z.string(),
    messageId: z._default(z.string(), ''),
    receipt: z._default(
      z.nullable(
        z.object({
          id: z.string(),
          status: z.string(),
          delivered: z.array(z.string()),
          failed: z.array(z.string()),
          pending: z._default(z.array(z.string()), []),
        }),
      ),
      null,
    ),
    incoming: z._default(z.nullable(z.object({ from: z.string(), to: z.string(), text: z.string() })), null),
  }),
} as const
type StoredSettings = { [Driver in SmsDriverName]: z.output<(typeof stored)[Driver]> }

const Secrets = z.object({
  password: z.optional(z.string()),
  token: z.optional(z.string()),
  receiptSecret: z.optional(z.string()),
})
export type Secrets = z.output<typeof Secrets>

export type GatewaySetting = { driver: SmsDriverName; settings: unknown }

export function settingsOf<Driver extends SmsDriverName>(driver: Driver, settings: unknown): StoredSettings[Driver] {
  return z.parse(stored[driver], settings) as StoredSettings[Driver]
}

/** Throws when they were sealed with another SECRET. */
export function openSecrets(secret: Buffer, sealed: string | null): Secrets {
  return sealed === null ? {} : z.parse(Secrets, JSON.parse(unseal(secret, gatewaySecretsPurpose, sealed)))
}

/** Null when they were sealed with another SECRET and must be entered again. */
export function readableSecrets(secret: Buffer, sealed: string | null): Secrets | null {
  try {
    return openSecrets(secret, sealed)
  } catch {
    return null
  }
}

/** `publicUrl`: where gateways reach this server. */
export function driverSettings(
  { id, driver, settings }: GatewaySetting & { id: number },
  secrets: Secrets,
  publicUrl: string,
): Parameters<OpenGateway>[0] {
  if (driver === 'simulator') return { driver, ...settingsOf(driver, settings) }
  if (driver === 'smpp') return { driver, ...settingsOf(driver, settings), password: secrets.password ?? '' }
  const { receipt: _, incoming: __, ...http } = settingsOf(driver, settings)
  const callback = `${publicUrl}/app/sms/callback/${id}?secret=${encodeURIComponent(secrets.receiptSecret ?? '')}`
  return { driver, ...http, token: secrets.token ?? '', callback }
}

export function storedSettings(input: GatewayInput): Record<string, unknown> {
  const certificate = input.certificate === undefined ? null : plainFingerprint(input.certificate)
  return { ...z.parse(stored[input.driver], { ...input, certificate }) }
}

/** The driver's secrets after the change: new ones, and old ones if the gateway stays in the same place. */
export function secretsAfter(input: GatewayInput, before: Secrets): Secrets {
  const { driver, password, token, receiptSecret } = input
  if (driver === 'smpp') return defined({ password: password ?? before.password })
  if (driver === 'http')
    return defined({ token: token ?? before.token, receiptSecret: receiptSecret ?? before.receiptSecret })
  return {}
}
const defined = (secrets: Secrets): Secrets =>
  Object.fromEntries(Object.entries(secrets).filter(([, secret]) => secret !== undefined))

/** The canonical form of a place, since hosts and URLs can be written in many. */
export function plainPlaceOf(gateway: GatewaySetting): string | null {
  const place = placeOf(gateway)
  if (place === null) return null
  const url = `http://${place}`
  return (URL.canParse(url) ? new URL(url).host : place.toLowerCase()).replace(/\.(?=:|$)/, '')
}

/** Host and port, or the URL's host; null when it runs in this server. */
export function placeOf({ driver, settings }: GatewaySetting): string | null {
  if (driver === 'simulator') return null
  if (driver === 'http') return hostOfUrl(settingsOf(driver, settings).url)
  const { host, port } = settingsOf(driver, settings)
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The field that names another machine than this one; null when none does. */
export function farField(input: GatewayInput): 'host' | 'url' | null {
  if (input.driver === 'smpp') return input.host !== undefined && !isLoopback(input.host) ? 'host' : null
  if (input.driver === 'http') return isLoopback(hostOfUrl(input.url ?? '') ?? '') ? null : 'url'
  return null
}
