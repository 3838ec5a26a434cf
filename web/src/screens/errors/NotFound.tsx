import { Link } from 'react-router'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'

export function NotFound() {
  const { failure } = useTexts('common')
  return (
    <Page title={failure.notFoundTitle}>
      <p>{failure.notFound}</p>
      <Link to="/">{failure.toDashboard}</Link>
    </Page>
  )
}
