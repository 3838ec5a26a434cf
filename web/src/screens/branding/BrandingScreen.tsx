import { brandRoutes } from '@ghanti/contract/brands.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { BrandForm } from './BrandForm.tsx'
import classes from './Branding.module.css'
import { late } from '../../components/ui/loading/late.tsx'

const DomainList = late(() => import('./DomainList.tsx'))

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(brandRoutes.own, {})))

/** A reseller's own brand; for super admins the platform's, and everybody's domains. */
export default function BrandingScreen() {
  const t = useTexts('branding')
  const { role } = useSession()
  const brand = useQuery({ ...jsonQuery(brandRoutes.own, {}), staleTime: 0 })
  return (
    <div className={classes.screen}>
      <Page title={t.title} subtitle={role === 'superAdmin' ? t.ofPlatform : t.ofReseller}>
        {brand.error && !brand.data && <Failure error={brand.error} onRetry={() => void brand.refetch()} />}
        {!brand.error && !brand.data && <div className={classes.loading} aria-busy />}
        {brand.data && <BrandForm key={JSON.stringify(brand.data)} brand={brand.data} />}
      </Page>
      {role === 'superAdmin' && (
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <DomainList />
        </Suspense>
      )}
    </div>
  )
}
