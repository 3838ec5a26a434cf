import { Link } from 'react-router'
import { Suspense } from 'react'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'

const Empty = late(() => import('../../components/ui/Empty.tsx'))

export function NotFound() {
  const { failure, menu } = useTexts('common')
  return (
    <Page title={failure.notFoundTitle}>
      <Suspense fallback={<p>{failure.notFound}</p>}>
        <Empty drawing="search" text={failure.notFound}>
          <Link to="/">{menu.dashboard}</Link>
        </Empty>
      </Suspense>
    </Page>
  )
}
