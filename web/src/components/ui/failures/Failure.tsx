import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '../../../api/error.ts'
import { useTexts } from '../../../i18n/language.ts'
import { failureTexts } from './failure-texts.ts'
import classes from './Failure.module.css'

type FailureProps = {
  error: unknown
  title?: string
  labels?: Readonly<Record<string, string>>
  onRetry?: () => void
  children?: ReactNode
}

/** A failed load: the cause, and Retry unless the request was wrong or asks for something missing. */
export function Failure({ error, title, labels, onRetry, children }: FailureProps) {
  const { failure } = useTexts('common')
  const { helps } = failureTexts(error, labels)
  const isWrong = error instanceof ApiError && [400, 404].includes(error.status)
  return (
    <div className={classes.failure} role="alert">
      <IconAlertTriangle size={22} stroke={1.6} aria-hidden className={classes.icon} />
      <div>
        <p className={classes.title}>{title ?? failure.load}</p>
        {helps.map((text) => (
          <p key={text} className={classes.text}>
            {text}
          </p>
        ))}
        {onRetry && !isWrong && (
          <Button variant="default" size="xs" mt="sm" onClick={onRetry}>
            {failure.retry}
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}
