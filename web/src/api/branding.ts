import { brandingRoutes } from '@ghanti/contract/branding.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { basePath } from './base.ts'

export type Branding = { company: string; logoUrl: string | null; primaryColour: string | null; demo: boolean }
const ours: Branding = { company: 'Ghanti', logoUrl: null, primaryColour: null, demo: false }

/** Whose console this is, by host name. A load that fails leaves ours: nobody is kept out by a missing logo. */
export const brandingQuery = queryOptions({
  queryKey: ['branding'],
  queryFn: ({ signal }): Promise<Branding> =>
    call(brandingRoutes.byHost, { hostname: window.location.hostname }, { signal }),
  staleTime: Infinity,
  retry: 1,
})

export function useBranding(): Branding {
  const branding = useQuery(brandingQuery).data ?? ours
  const logoUrl = branding.logoUrl?.startsWith('/') ? basePath + branding.logoUrl : branding.logoUrl
  return { ...branding, logoUrl }
}
