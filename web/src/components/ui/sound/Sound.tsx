import { ownValue } from '@ghanti/contract/own-values.ts'
import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { Bars } from './Bars.tsx'
import { peaksOfFile } from './peaks.ts'
import classes from './Sound.module.css'

const bars = 80

const speeds = ['0.75', '1', '1.25', '1.5', '2'] as const

type SoundProps = {
  src: string
  autoPlay?: boolean
  /** The file can be downloaded, under this name; '' is the server's. */
  saveAs?: string
  onEnded?: () => void
}

/**
 * Plays a file and draws its loudness. A file is decoded once, when it is played, hovered or focused; one that cannot be decoded plays
 * without a drawing.
 */
export default function Sound({ src, autoPlay = false, saveAs, onEnded }: SoundProps) {
  const t = useTexts('sound')
  const format = useFormat()
  const audio = useRef<HTMLAudioElement>(null)
  const [state, setState] = useState<State>('still')
  const [speed, setSpeed] = useState('1')
  const [lengthSeconds, setLengthSeconds] = useState(0)
  const [atSeconds, setAtSeconds] = useTime(audio, state === 'playing')
  const { peaks, draw } = usePeaks(src)
  // Not an attribute: React may delay mounting, and events that the element fires before would be lost.
  useEffect(() => {
    if (audio.current) audio.current.src = src
  }, [src])

  const toggle = () => {
    // A refusal also fires an error event, which is shown; a pause before the start is not an error.
    if (state === 'playing') audio.current?.pause()
    else audio.current?.play().catch(() => undefined)
  }
  const seek = (seconds: number) => {
    const at = Math.min(Math.max(seconds, 0), lengthSeconds)
    if (audio.current) audio.current.currentTime = at
    setAtSeconds(at)
  }
  const play = (faster: string) => {
    // Sets the default rate too, with which the element's next file starts.
    if (audio.current) audio.current.playbackRate = audio.current.defaultPlaybackRate = Number(faster)
    setSpeed(faster)
  }
  const isBroken = state === 'failed' || state === 'gone'

  return (
    <div className={classes.sound} onPointerEnter={draw} onFocus={draw}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a recorded prompt has no captions */}
      <audio
        ref={audio}
        autoPlay={autoPlay}
        preload="metadata"
        onDurationChange={({ currentTarget: { duration } }) =>
          setLengthSeconds(Number.isFinite(duration) ? duration : 0)
        }
        onPlay={() => {
          setState('playing')
          draw()
        }}
        onPause={() => setState('still')}
        onTimeUpdate={({ currentTarget }) => setAtSeconds(currentTarget.currentTime)}
        onEnded={onEnded}
        onError={() => {
          setState('failed')
          void isGone(src).then((gone) => gone && setState('gone'))
        }}
      />
      <div className={classes.row}>
        <ActionIcon
          variant="default"
          size={40}
          aria-label={state === 'playing' ? t.pause : t.play}
          disabled={isBroken}
          onClick={toggle}
        >
          {state === 'playing' ? <IconPlayerPause size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />}
        </ActionIcon>
        <Waveform peaks={peaks} atSeconds={atSeconds} lengthSeconds={lengthSeconds} onSeek={seek} />
        <span className={classes.time} data-numeric>
          {format.length(atSeconds * 1000)} / {format.length(lengthSeconds * 1000)}
        </span>
      </div>
      {!isBroken && (
        <div className={classes.tools}>
          <NativeSelect
            size="xs"
            aria-label={t.speed}
            value={speed}
            data={speeds.map((value) => ({ value, label: t.times(format.digits(value)) }))}
            onChange={({ currentTarget }) => play(currentTarget.value)}
          />
          {saveAs !== undefined && (
            <a href={src} download={saveAs} data-plain>
              {t.download}
            </a>
          )}
        </div>
      )}
      {isBroken && (
        <p role="alert" className={classes.failed}>
          {state === 'gone' ? t.gone : t.cannotPlay}
        </p>
      )}
    </div>
  )
}

/** `gone`: the server no longer has the file. */
type State = 'still' | 'playing' | 'failed' | 'gone'

/** The audio element does not report whether the file exists. */
async function isGone(src: string): Promise<boolean> {
  if (!src.startsWith('/')) return false
  const reply = await fetch(src, { headers: { range: 'bytes=0-0' } }).catch(() => null)
  return reply?.status === 404
}

/** The playback position, at every frame while playing: the element itself reports it four times a second. */
function useTime(audio: { readonly current: HTMLAudioElement | null }, isPlaying: boolean) {
  const [atSeconds, setAtSeconds] = useState(0)
  useEffect(() => {
    if (!isPlaying) return
    let frame = requestAnimationFrame(function follow() {
      if (audio.current) setAtSeconds(audio.current.currentTime)
      frame = requestAnimationFrame(follow)
    })
    return () => cancelAnimationFrame(frame)
  }, [audio, isPlaying])
  return [atSeconds, setAtSeconds] as const
}

/** A file's peaks; null until they are needed, and when it cannot be decoded. */
function usePeaks(src: string) {
  const isAsked = useRef(false)
  const [peaks, setPeaks] = useState<readonly number[] | null>(null)
  const draw = () => {
    if (isAsked.current) return
    isAsked.current = true
    peaksOfFile(src, bars).then(setPeaks, () => undefined)
  }
  return { peaks, draw }
}

type WaveformProps = {
  peaks: readonly number[] | null
  atSeconds: number
  lengthSeconds: number
  onSeek: (seconds: number) => void
}

/** The browser's own slider lies invisible over the drawing, so that mouse, touch and keys all work. */
function Waveform({ peaks, atSeconds, lengthSeconds, onSeek }: WaveformProps) {
  const t = useTexts('sound')
  const { count } = useFormat()
  const words = (seconds: number) => {
    const whole = Math.round(seconds)
    return t.time(count(Math.floor(whole / 60)), count(whole % 60))
  }
  const played = lengthSeconds > 0 ? (atSeconds / lengthSeconds) * 100 : 0
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = ownValue({ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }, event.key)
    if (!direction) return
    event.preventDefault()
    // A second; in short files a tenth of the length.
    onSeek(atSeconds + direction * Math.min(1, lengthSeconds / 10))
  }
  return (
    <div className={classes.waveform}>
      <Bars peaks={peaks} />
      <div className={classes.played} style={{ clipPath: `inset(0 ${100 - played}% 0 0)` }}>
        <Bars peaks={peaks} />
      </div>
      <input
        type="range"
        aria-label={t.position}
        aria-valuetext={t.timeOf(words(atSeconds), words(lengthSeconds))}
        min={0}
        max={lengthSeconds}
        step="any"
        value={atSeconds}
        disabled={lengthSeconds === 0}
        onChange={({ currentTarget }) => onSeek(currentTarget.valueAsNumber)}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}
