import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from '../Compose.module.css'

type ReadyButtonProps = { text: string; icon: ReactNode; isReady: boolean; missing: string; onClick: () => void }

/** Says what it waits for while it is disabled. */
export function ReadyButton({ text, icon, isReady, missing, onClick }: ReadyButtonProps) {
  const hintId = useId()
  return (
    <div>
      <Button
        variant="default"
        fullWidth
        leftSection={icon}
        disabled={!isReady}
        aria-describedby={isReady ? undefined : hintId}
        onClick={onClick}
      >
        {text}
      </Button>
      {!isReady && (
        <p id={hintId} className={classes.under}>
          {missing}
        </p>
      )}
    </div>
  )
}
