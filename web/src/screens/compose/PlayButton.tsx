import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'

type PlayButtonProps = { src: string; name: string; durationMs: number }

export function PlayButton({ src, name, durationMs }: PlayButtonProps) {
  const { prompts } = useTexts('compose')
  const length = useFormat().length(durationMs)
  const audio = useRef<HTMLAudioElement>(null)
  const [state, setState] = useState<'still' | 'playing' | 'failed'>('still')

  const toggle = () => {
    const own = audio.current
    if (!own) return
    if (state === 'playing') {
      own.pause()
      own.currentTime = 0
      return
    }
    document.querySelectorAll('audio').forEach((other) => other !== own && other.pause())
    // A refusal also fires an error event, which is shown; a stop before the start is not an error.
    own.play().catch(() => undefined)
  }

  return (
    <div>
      <audio
        ref={audio}
        src={src}
        preload="none"
        onPlay={() => setState('playing')}
        onPause={() => setState('still')}
        onError={() => setState('failed')}
      />
      <Button
        variant="default"
        aria-label={state === 'playing' ? prompts.stop(name, length) : prompts.listen(name, length)}
        leftSection={
          state === 'playing' ? <IconPlayerStop size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />
        }
        onClick={toggle}
      >
        <span data-numeric>{length}</span>
      </Button>
      {state === 'failed' && (
        <p role="alert" className={classes.error}>
          {prompts.cannotPlay}
        </p>
      )}
    </div>
  )
}
