import { Button } from '@mantine/core'
import { useRouteError } from 'react-router'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'

/** A screen that threw, inside the shell if the shell still works. */
export function RouteFailure() {
  const { failure } = useTexts('common')
  const error = useRouteError()
  const { message } = failureTexts(error)
  return (
    <Page title={failure.screen}>
      <p>{failure.screenHint}</p>
      <pre style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{message}</pre>
      <Button variant="default" onClick={() => window.location.reload()}>
        {failure.reload}
      </Button>
    </Page>
  )
}
