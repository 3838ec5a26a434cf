import { Button } from '@mantine/core'
import { useRouteError } from 'react-router'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'

/** A screen that threw, or whose code did not arrive. Inside the shell when the shell still stands. */
export function RouteFailure() {
  const { failure } = useTexts('common')
  const error = useRouteError()
  const { message } = failureTexts(error)
  const outdated = /dynamically imported module|Importing a module script failed|Unable to preload/i.test(message)
  return (
    <Page title={failure.screen}>
      <p>{outdated ? failure.outdated : failure.screenHint}</p>
      {!outdated && <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message}</pre>}
      <Button variant="default" onClick={() => window.location.reload()}>
        {failure.reload}
      </Button>
    </Page>
  )
}
