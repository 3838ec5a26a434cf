import { promptCategories } from '@ghanti/contract/templates.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { sourceSecondsMax } from '../../audio/source-limits.ts'
import { failureTexts, fieldText } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { Part } from './Part.tsx'
import classes from './PromptsTable.module.css'
import { isSent, isUsable, nameFieldOf, type PickedSound, type Sounds } from './use-sounds.ts'

export default function SoundList({ sounds, disabled }: { sounds: Sounds; disabled: boolean }) {
  const t = useTexts('prompts').sounds
  return (
    <ul className={classes.list} aria-label={t.list}>
      {sounds.sounds.map((picked) => (
        <li key={picked.id} className={classes.sound} aria-label={picked.file.name}>
          <Head picked={picked} sounds={sounds} disabled={disabled} />
          <State picked={picked} />
          {picked.sound !== null && !isSent(picked) && (
            <Part
              picked={picked}
              sound={picked.sound}
              disabled={disabled}
              onChange={(patch) => sounds.change(picked.id, patch)}
            />
          )}
          {sounds.sounds.length > 1 && isUsable(picked) && !isSent(picked) && (
            <Fields picked={picked} sounds={sounds} disabled={disabled} />
          )}
        </li>
      ))}
    </ul>
  )
}

type SoundProps = { picked: PickedSound; sounds: Sounds; disabled: boolean }

function Head({ picked, sounds, disabled }: SoundProps) {
  const t = useTexts('prompts').sounds
  const { name } = picked.file
  return (
    <div className={classes.head}>
      <span className={classes.name}>{name}</span>
      {!isSent(picked) && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t.remove(name)}
          title={t.remove(name)}
          disabled={disabled}
          onClick={() => sounds.remove(picked.id)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

function State({ picked }: { picked: PickedSound }) {
  const t = useTexts('prompts').sounds
  const prompts = useTexts('prompts')
  const format = useFormat()
  const { sound, fault, sent, failure } = picked
  if (fault !== null) return <Fault fault={fault} />
  if (sound === null)
    return (
      <p className={classes.state} role="status" aria-busy>
        {t.reading}
      </p>
    )
  if (sent !== null)
    return (
      <p className={classes.state} role="status" data-done={isSent(picked) || undefined}>
        {isSent(picked) ? t.sent : t.sending(format.count(Math.round(sent * 100)))}
      </p>
    )
  if (failure) {
    const labels = { waveFile: t.file, promptCategory: prompts.upload.category, fileName: prompts.upload.name }
    return (
      <div className={classes.fault} role="alert">
        {failureTexts(failure, labels).helps.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    )
  }
  return sound.notes.map((note) => (
    <p key={note} className={classes.state} role="status">
      {serverText(note)}
    </p>
  ))
}

function Fault({ fault }: { fault: NonNullable<PickedSound['fault']> }) {
  const t = useTexts('prompts').sounds
  const format = useFormat()
  const said = () => {
    if (fault === 'notConverted') return t.notConverted
    if (fault.is === 'noSound') return t.noSound
    if (fault.is === 'kind') return t.kind(fault.kind)
    if (fault.is === 'unreadable') return fieldText(t.file, fault.why)
    const most = format.length(sourceSecondsMax * 1000)
    return fault.seconds === null ? t.tooLongUnknown(most) : t.tooLong(format.length(fault.seconds * 1000), most)
  }
  return (
    <p className={classes.fault} role="alert">
      {said()}
    </p>
  )
}

function Fields({ picked, sounds, disabled }: SoundProps) {
  const t = useTexts('prompts').sounds
  const { upload, categories } = useTexts('prompts')
  return (
    <div className={classes.fields}>
      <TextInput
        id={nameFieldOf(picked)}
        label={upload.name}
        required
        value={picked.name}
        maxLength={nameMax}
        autoComplete="off"
        disabled={disabled}
        error={picked.name.trim() === '' && fieldText(upload.name, 'is required')}
        onChange={({ currentTarget }) => sounds.change(picked.id, { name: currentTarget.value })}
      />
      <NativeSelect
        label={upload.category}
        value={picked.category}
        disabled={disabled}
        data={[
          { value: '', label: t.usualCategory },
          ...promptCategories.map((value) => ({ value, label: categories[value] })),
        ]}
        onChange={({ currentTarget }) => {
          const category = promptCategories.find((one) => one === currentTarget.value) ?? ''
          sounds.change(picked.id, { category })
        }}
      />
    </div>
  )
}
