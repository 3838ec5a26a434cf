import * as z from 'zod/mini'
import { json, list, upload } from './route.ts'
import { Id, mebibyte, Message, Name, OneLine, Paragraph, Text } from './values.ts'

export const logoMaxBytes = mebibyte
/** Domains that one account asked for, for itself and for accounts below, and that wait. */
export const waitingDomainsMax = 10

export const logoPixelsMin = 16
export const logoPixelsMax = 2000

/** '#rrggbb' in small letters. */
const Colour = OneLine({ error: 'must look like #0b66a3' }).check(
  z.trim(),
  z.toLowerCase(),
  z.regex(/^#[0-9a-f]{6}$/, { error: 'must look like #0b66a3' }),
)

const Domain = z.object({ hostname: z.string(), askedAt: z.string() })

const Brand = z.object({
  company: z.string(),
  primaryColour: z.nullable(z.string()),
  logoUrl: z.nullable(z.string()),
  /** The domain that works, the one that waits for the super admin, and the last one that was refused or taken back. All null for the platform. */
  domain: z.nullable(Domain),
  waiting: z.nullable(Domain),
  /** `reason` null: another account got it. */
  refused: z.nullable(z.object({ hostname: z.string(), reason: z.nullable(z.string()), at: z.string() })),
})
export type Brand = z.output<typeof Brand>

const DomainRow = z.object({
  domainId: z.number(),
  hostname: z.string(),
  userId: z.number(),
  username: z.string(),
  company: z.string(),
  askedAt: z.string(),
  /** Null while it waits. */
  confirmedAt: z.nullable(z.string()),
  confirmedBy: z.nullable(z.string()),
  /** Other accounts that wait for it. */
  others: z.number(),
})
export type DomainRow = z.output<typeof DomainRow>

const Hostname = Text(253)

/** A reseller's own brand (for super admins the platform's), and the domains that show brands. */
export const brandRoutes = {
  own: json({ method: 'GET', path: '/api/obd/brand', reply: Brand }),
  /** Sets the whole brand. A field that is left out is cleared, except the logo, which stays until another is sent or `removeLogo` is set. */
  save: upload({
    path: '/api/obd/brand',
    input: z.object({
      company: Name,
      domain: z.optional(Hostname),
      primaryColour: z.optional(Colour),
      removeLogo: z.optional(z.enum(['true', 'false'], { error: 'must be true or false' })),
    }),
    files: { logo: { maxBytes: logoMaxBytes, required: false } },
    reply: Message,
  }),
  domains: list({
    path: '/api/obd/brand/domains',
    row: DomainRow,
    sort: ['-waiting', 'askedAt', 'hostname', 'username'],
  }),
  /** The others that wait for it are refused, and the account's previous domain stops working. */
  confirmDomain: json({
    method: 'POST',
    path: '/api/obd/brand/domain/confirm',
    input: z.object({ domainId: Id }),
    reply: Message,
  }),
  /** Takes back a domain that waits or works; its owner reads the reason. */
  refuseDomain: json({
    method: 'POST',
    path: '/api/obd/brand/domain/refuse',
    input: z.object({ domainId: Id, reason: Paragraph(500) }),
    reply: Message,
  }),
}
