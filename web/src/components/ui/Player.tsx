import { useState } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { showDialog } from './dialogs.ts'
import classes from './Player.module.css'

/** The listen modal (spec 1 §2): one sound under the name of its file. */
export function listenTo(fileName: string, src: string): void {
  showDialog({ title: fileName, render: () => <Player src={src} /> })
}

function Player({ src }: { src: string }) {
  const { sound } = useTexts('common')
  const [failed, setFailed] = useState(false)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a recorded prompt has no captions */}
      <audio className={classes.player} controls autoPlay src={src} onError={() => setFailed(true)} />
      {failed && (
        <p role="alert" className={classes.failed}>
          {sound.cannotPlay}
        </p>
      )}
    </>
  )
}
