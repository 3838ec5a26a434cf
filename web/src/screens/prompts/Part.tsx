import { promptSecondsMax } from '@ghanti/contract/prompts.ts'
import { telephoneRate } from '@ghanti/callflow/sound/resample.ts'
import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerPause } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { cut, gainOf, loudnessOf, recordingLevelOf, type RecordingLevel } from '../../audio/loudness.ts'
import type { Prepared } from '../../audio/prepare.ts'
import { wavOf } from '../../audio/wav.ts'
import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import { Bars } from '../../components/ui/sound/Bars.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { isTooLong } from './sending-sounds.ts'
import classes from './PromptsTable.module.css'
import type { PickedSound } from './use-sounds.ts'

type PartProps = {
  picked: PickedSound
  sound: Prepared
  disabled: boolean
  onChange: (patch: Partial<PickedSound>) => void
}

const kinds: Readonly<Record<RecordingLevel, StatusKind>> = {
  silent: 'problem',
  clipped: 'problem',
  quiet: 'held',
  good: 'done',
}

export function Part({ picked, sound, disabled, onChange }: PartProps) {
  const t = useTexts('prompts').sounds
  const format = useFormat()
  const { fromSeconds, toSeconds, isLouder } = picked
  const part = useDeferredPart(sound, fromSeconds, toSeconds)
  const loudness = useMemo(() => loudnessOf(part), [part])
  const recordingLevel = recordingLevelOf(loudness, sound.isClipped)
  const gain = gainOf(loudness)
  const length = format.length((toSeconds - fromSeconds) * 1000)
  return (
    <div className={classes.part}>
      <Handles picked={picked} sound={sound} disabled={disabled} onChange={onChange} />
      <div className={classes.row}>
        <HearPart key={`${fromSeconds} ${toSeconds} ${isLouder}`} part={part} gain={isLouder ? gain : 1} />
        <span data-numeric>
          {toSeconds - fromSeconds < sound.seconds - 0.05 ? t.of(length, format.length(sound.seconds * 1000)) : length}
        </span>
        <span className={classes.volume}>
          <Status is={isLouder && recordingLevel === 'quiet' ? 'done' : kinds[recordingLevel]}>
            {isLouder && recordingLevel === 'quiet' ? t.levels.good : t.levels[recordingLevel]}
          </Status>{' '}
          {loudness.level > -Infinity && (
            <span className={classes.level} data-numeric>
              {t.loudness(format.digits(level(loudness.level, isLouder ? gain : 1)))}
            </span>
          )}
        </span>
      </div>
      {recordingLevel === 'quiet' && (
        <label className={classes.louder}>
          <input
            type="checkbox"
            checked={isLouder}
            disabled={disabled}
            onChange={({ currentTarget }) => onChange({ isLouder: currentTarget.checked })}
          />{' '}
          {t.louder}
        </label>
      )}
      {isTooLong(picked) && (
        <p className={classes.fault} role="alert">
          {t.longer(format.length(promptSecondsMax * 1000))}
        </p>
      )}
    </div>
  )
}

function level(decibels: number, gain: number): string {
  return String(Math.round(decibels + 20 * Math.log10(gain))).replace('-', '\u2212')
}

/** While a handle is dragged, the samples are cut when there is time. */
function useDeferredPart({ samples }: Prepared, fromSeconds: number, toSeconds: number) {
  const from = useDeferredValue(fromSeconds)
  const to = useDeferredValue(toSeconds)
  return useMemo(() => cut(samples, from, to), [samples, from, to])
}

/** The shortest part that can be chosen; the server requires at least a tenth of a second. */
const shortest = 0.2

/** The browser's own sliders lie over the drawing, so that touch and keys move the handles too. */
function Handles({ picked: { fromSeconds, toSeconds }, sound, disabled, onChange }: PartProps) {
  const t = useTexts('prompts').sounds
  const { time } = useTexts('sound')
  const { count, digits } = useFormat()
  const words = (seconds: number) => {
    const tenths = Math.round(seconds * 10)
    return time(count(Math.floor(tenths / 600)), digits(String((tenths % 600) / 10)))
  }
  const percent = (seconds: number) => (seconds / sound.seconds) * 100
  const shared = { type: 'range', min: 0, max: sound.seconds, step: 0.1, disabled } as const
  return (
    <div className={classes.handles}>
      <Bars peaks={sound.peaks} />
      <div
        className={classes.chosen}
        style={{ clipPath: `inset(0 ${100 - percent(toSeconds)}% 0 ${percent(fromSeconds)}%)` }}
      >
        <Bars peaks={sound.peaks} />
      </div>
      <input
        {...shared}
        aria-label={t.from}
        aria-valuetext={words(fromSeconds)}
        value={fromSeconds}
        onChange={({ currentTarget: { valueAsNumber } }) =>
          onChange({ fromSeconds: Math.max(0, Math.min(valueAsNumber, toSeconds - shortest)) })
        }
      />
      <input
        {...shared}
        aria-label={t.to}
        aria-valuetext={words(toSeconds)}
        value={toSeconds}
        onChange={({ currentTarget: { valueAsNumber } }) =>
          onChange({ toSeconds: Math.min(sound.seconds, Math.max(valueAsNumber, fromSeconds + shortest)) })
        }
      />
    </div>
  )
}

function HearPart({ part, gain }: { part: Float32Array; gain: number }) {
  const t = useTexts('prompts').sounds
  const [isPlaying, setPlaying] = useState(false)
  const audio = useRef<HTMLAudioElement | null>(null)
  const address = useRef('')
  const stop = () => {
    audio.current?.pause()
    audio.current = null
    URL.revokeObjectURL(address.current)
    setPlaying(false)
  }
  useEffect(
    () => () => {
      audio.current?.pause()
      URL.revokeObjectURL(address.current)
    },
    [],
  )
  const play = () => {
    const heard = gain === 1 ? part : cut(part, 0, Infinity, gain)
    address.current = URL.createObjectURL(wavOf(heard, telephoneRate))
    audio.current = new Audio(address.current)
    audio.current.addEventListener('ended', stop)
    setPlaying(true)
    audio.current.play().catch(stop)
  }
  const Icon = isPlaying ? IconPlayerPause : IconPlayerPlay
  return (
    <Button variant="default" size="xs" leftSection={<Icon size={14} aria-hidden />} onClick={isPlaying ? stop : play}>
      {isPlaying ? t.stopHearing : t.hear}
    </Button>
  )
}
