import { Branding, brandingRoutes } from '@ghanti/contract/branding.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { basePath } from './base.ts'

const ours: Branding = { company: 'Ghanti', logoUrl: null, primaryColour: null, demo: false }

/** The brand that the server wrote into the page, so that no other brand shows first. */
function ofPage(): Branding | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content
  return content === undefined ? undefined : Branding.safeParse(JSON.parse(content)).data
}

/** The brand of this host name; our own when it cannot be loaded. */
export const brandingQuery = queryOptions({
  queryKey: ['branding'],
  queryFn: ({ signal }): Promise<Branding> =>
    call(brandingRoutes.byHost, { hostname: window.location.hostname }, { signal }),
  initialData: ofPage,
  staleTime: Infinity,
  retry: 1,
})

export function useBranding(): Branding {
  const branding = useQuery(brandingQuery).data ?? ours
  return { ...branding, logoUrl: ownAddress(branding.logoUrl) }
}

export function ownAddress(url: string | null): string | null {
  return url?.startsWith('/') ? basePath + url : url
}
