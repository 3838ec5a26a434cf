import * as z from 'zod/mini'
import { json, list, upload } from './route.ts'
import { mebibyte, Message, Name, OneLine, Paragraph, Text } from './values.ts'

/** A logo as it is sent: at most so large, at least and at most so many pixels a side. */
export const logoMaxBytes = mebibyte
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
  /** The domain that works, the one that waits for the super admin, and the last one refused or taken back. All null for the platform. */
  domain: z.nullable(Domain),
  waiting: z.nullable(Domain),
  refused: z.nullable(z.object({ hostname: z.string(), reason: z.string(), at: z.string() })),
})
export type Brand = z.output<typeof Brand>

const DomainRow = z.object({
  hostname: z.string(),
  userId: z.number(),
  username: z.string(),
  company: z.string(),
  askedAt: z.string(),
  /** null: it waits. */
  confirmedAt: z.nullable(z.string()),
  confirmedBy: z.nullable(z.string()),
})
export type DomainRow = z.output<typeof DomainRow>

const Hostname = Text(253)

/** A reseller's own brand, for super admins the platform's; and the domains on which brands are shown. */
export const brandRoutes = {
  own: json({ method: 'GET', path: '/api/obd/brand', reply: Brand }),
  /** The whole brand: what is left out is none, but for the logo, which stays until another comes or `removeLogo` is said. */
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
  confirmDomain: json({
    method: 'POST',
    path: '/api/obd/brand/domain/confirm',
    input: z.object({ hostname: Hostname }),
    reply: Message,
  }),
  /** One that waits or one that works: it works no more. Its owner reads why. */
  refuseDomain: json({
    method: 'POST',
    path: '/api/obd/brand/domain/refuse',
    input: z.object({ hostname: Hostname, reason: Paragraph(500) }),
    reply: Message,
  }),
}
