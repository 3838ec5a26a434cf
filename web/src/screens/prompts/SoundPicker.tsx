import { promptSecondsMax } from '@ghanti/contract/prompts.ts'
import { Button, Input } from '@mantine/core'
import { IconMicrophone, IconUpload } from '@tabler/icons-react'
import { useId, useRef, useState, type DragEvent } from 'react'
import { sourceMaxBytes } from '../../audio/source-limits.ts'
import { useField, type Form } from '../../components/form/field.ts'
import { fileProblem } from '../../components/form/files/file-problem.ts'
import { useKeepPage } from '../../components/form/keep-page.ts'
import file from '../../components/form/files/FileField.module.css'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { LevelMeter } from './LevelMeter.tsx'
import classes from './PromptsTable.module.css'
import type { UploadForm } from './upload-form.ts'
import { useRecording } from './use-recording.ts'
import { soundsMax, type Sounds } from './use-sounds.ts'

const accept = 'audio/*,.wav,.mp3,.m4a,.aac,.ogg,.oga,.opus,.flac,.webm,.mp4'

type SoundPickerProps = { form: Form<UploadForm>; sounds: Sounds; disabled: boolean }

export function SoundPicker({ form, sounds, disabled }: SoundPickerProps) {
  const t = useTexts('prompts').sounds
  const format = useFormat()
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useKeepPage()
  const most = format.length(promptSecondsMax * 1000)
  const description = t.hint(most)
  const { key, props } = useField({ form, name: 'waveFile', label: t.file, description, required: true, disabled })
  const { onChange: _c, defaultValue: _d, value: _v, onFocus: _f, onBlur, 'aria-required': _r, ...wrapper } = props

  const pick = (files: readonly File[]) => {
    const problems = files.map((one) => fileProblem(one, accept, sourceMaxBytes))
    const taken = files.filter((_, n) => problems[n] === null)
    const wrong = problems.flatMap((problem, n) => (problem === null ? [] : [{ problem, name: files[n]?.name ?? '' }]))
    const left = soundsMax - sounds.current().length
    setRefused([
      ...(files.length > 1 ? wrong.map(({ name, problem }) => `${name}: ${serverText(problem)}`) : []),
      ...(taken.length > left ? [t.tooMany(format.count(soundsMax))] : []),
    ])
    if (taken.length > 0) sounds.add(taken)
    // With a single file, the specified sentence stands at the field.
    if (files.length === 1 && wrong[0]) form.setFieldError('waveFile', wrong[0].problem)
    if (input.current) input.current.value = ''
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!disabled) pick([...event.dataTransfer.files])
  }

  return (
    <Input.Wrapper
      key={key}
      id={id}
      {...wrapper}
      data-path={undefined} // belongs on the input, where errors set the focus
      errorProps={{ id: `${id}-error` }}
      descriptionProps={{ id: `${id}-help` }}
    >
      <div className={classes.sources}>
        <div
          className={file.drop}
          data-over={over || undefined}
          data-error={Boolean(wrapper.error) || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <input
            ref={input}
            id={id}
            type="file"
            name="waveFile"
            accept={accept}
            multiple
            disabled={disabled}
            className={file.input}
            data-path="waveFile"
            aria-invalid={Boolean(wrapper.error)}
            aria-describedby={`${id}-help${wrapper.error ? ` ${id}-error` : ''}`}
            onBlur={onBlur}
            onChange={({ currentTarget }) => pick([...(currentTarget.files ?? [])])}
          />
          <IconUpload size={18} stroke={1.6} aria-hidden />
          <span className={file.name}>{t.choose}</span>
        </div>
        <Recorder sounds={sounds} disabled={disabled} />
      </div>
      {refused.length > 0 && (
        <div className={classes.refused} role="alert">
          {refused.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
    </Input.Wrapper>
  )
}

function Recorder({ sounds, disabled }: { sounds: Sounds; disabled: boolean }) {
  const t = useTexts('prompts').sounds
  const format = useFormat()
  const { state, seconds, fault, level, start, stop } = useRecording((sound) => sounds.add([sound]))
  const most = format.length(promptSecondsMax * 1000)
  return (
    <>
      <Button
        variant={state === 'recording' ? 'filled' : 'default'}
        {...(state === 'recording' && { color: 'red.9' })}
        leftSection={<IconMicrophone size={16} aria-hidden />}
        loading={state === 'asking'}
        disabled={disabled || sounds.sounds.length >= soundsMax}
        onClick={state === 'recording' ? stop : start}
      >
        {state === 'recording' ? t.stop : t.record}
      </Button>
      <p className={classes.recording} role="status">
        {state === 'asking' && t.asking}
        {state === 'recording' && t.recording(format.length(seconds * 1000), most)}
      </p>
      {state === 'recording' && <LevelMeter level={level} />}
      {fault && (
        <p className={classes.refused} role="alert">
          {t.noRecording[fault]}
        </p>
      )}
    </>
  )
}
