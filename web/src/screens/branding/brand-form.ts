import type { Brand, brandRoutes } from '@ghanti/contract/brands.ts'
import type { SentOf } from '../../api/client.ts'

export type BrandValues = {
  company: string
  domain: string
  logo: File | null
  removeLogo: boolean
  primaryColour: string
}

export function valuesOf({ company, domain, waiting, primaryColour }: Brand): BrandValues {
  const wanted = waiting ?? domain
  return {
    company,
    domain: wanted?.hostname ?? '',
    logo: null,
    removeLogo: false,
    primaryColour: primaryColour ?? '',
  }
}

export function toBrandBody({
  company,
  domain,
  removeLogo,
  primaryColour,
}: BrandValues): SentOf<typeof brandRoutes.save> {
  return {
    company: company.trim(),
    domain: domain.trim() || undefined,
    primaryColour: colourOf(primaryColour) ?? (primaryColour.trim() || undefined),
    removeLogo: removeLogo ? 'true' : undefined,
  }
}

/** '#rrggbb' in lower case; null for anything else. */
export function colourOf(typed: string): string | null {
  const text = typed.trim().toLowerCase()
  return /^#[0-9a-f]{6}$/.test(text) ? text : null
}
