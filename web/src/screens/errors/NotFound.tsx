import { Link } from 'react-router'
import { Suspense } from 'react'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { texts as en } from '../../i18n/en/not-found.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'
import { texts as ne } from '../../i18n/ne/not-found.ts'

const Empty = late(() => import('../../components/ui/Empty.tsx'))
/** Both languages load with it: as an area of texts, they would be named on every page. */
const texts = { en, ne }

export function NotFound() {
  const { menu } = useTexts('common')
  const { title, hint } = texts[useLanguage()]
  return (
    <Page title={title}>
      <Suspense fallback={<p>{hint}</p>}>
        <Empty drawing="search" text={hint}>
          <Link to="/">{menu.dashboard}</Link>
        </Empty>
      </Suspense>
    </Page>
  )
}
