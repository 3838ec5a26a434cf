import { IconVolume } from '@tabler/icons-react'
import { useState } from 'react'
import { showDialog } from '../../components/ui/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './CampaignDetail.module.css'

/** A voice file's name; a click opens its player. */
export function Listen({ fileName, src }: { fileName: string; src: string }) {
  const { prompts } = useTexts('voiceCampaigns')
  return (
    <button
      type="button"
      className={classes.listen}
      aria-label={prompts.listen(fileName)}
      onClick={() => showDialog({ title: fileName, render: () => <Player src={src} /> })}
    >
      <IconVolume size={16} stroke={1.7} aria-hidden />
      {fileName}
    </button>
  )
}

function Player({ src }: { src: string }) {
  const { prompts } = useTexts('voiceCampaigns')
  const [failed, setFailed] = useState(false)
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a recorded prompt has no captions */}
      <audio className={classes.player} controls autoPlay src={src} onError={() => setFailed(true)} />
      {failed && (
        <p role="alert" className={classes.failed}>
          {prompts.cannotPlay}
        </p>
      )}
    </>
  )
}
