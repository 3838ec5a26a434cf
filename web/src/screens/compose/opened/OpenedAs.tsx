import { Button } from '@mantine/core'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'

export function OpenedAs({ title, hint, onDiscard }: { title: string; hint: string; onDiscard?: () => void }) {
  const t = useTexts('compose')
  return (
    <div role="status" className={classes.notice}>
      <p>
        <strong>{title}</strong> {hint}
      </p>
      {onDiscard && (
        <Button variant="default" size="xs" onClick={onDiscard}>
          {t.draft.discard}
        </Button>
      )}
    </div>
  )
}
