import type { PromptRow } from '@ghanti/contract/prompts.ts'
import { useState } from 'react'
import { showDialog } from '../../components/ui/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import { addressOfPrompt } from './actions.ts'
import classes from './PromptsTable.module.css'

/** The listen modal (spec 1 §2). */
export function listenTo(row: PromptRow): void {
  showDialog({ title: row.fileName, render: () => <Player src={addressOfPrompt(row)} /> })
}

function Player({ src }: { src: string }) {
  const t = useTexts('prompts')
  const [failed, setFailed] = useState(false)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a recorded prompt has no captions */}
      <audio className={classes.player} controls autoPlay src={src} onError={() => setFailed(true)} />
      {failed && (
        <p role="alert" className={classes.failed}>
          {t.cannotPlay}
        </p>
      )}
    </>
  )
}
