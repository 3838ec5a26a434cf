import { textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import { calendarOfLanguage, calendars, languages, type SpokenKind } from '@ghanti/contract/templates.ts'
import { speechRoutes } from '@ghanti/contract/speech.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../../api/query.ts'
import layout from '../../../components/form/Form.module.css'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { serverText, useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import type { FormOfCompose } from '../form.ts'
import { useNow } from '../schedule/use-now.ts'
import { PromptField } from '../PromptField.tsx'
import { KeyName } from './KeyNames.tsx'
import { useWatched } from '../use-watched.ts'
import type { PlayedValue } from './menu.ts'
import { heardSections, keyOfSection, speakingIdOf, type HeardSection } from './speaking.ts'
import type { FieldsProps } from './template.ts'

const automobile = ['auto1', 'auto2', 'auto3'] as const

/** The parts of a call in order: files to choose, and spoken values in between. */
export default function SpeakingFields({ form }: FieldsProps) {
  const t = useTexts('compose')
  const template = useWatched(form, 'template')
  const templateName = useWatched(form, 'templateName')
  const id = speakingIdOf({ template, templateName })
  return (
    <>
      {template === '3' && (
        <SelectField
          form={form}
          name="templateName"
          label={t.templateName}
          required
          data={automobile.map((name) => ({ value: name, label: t.automobile[name] }))}
          emptyText=""
          searchable={false}
        />
      )}
      {id !== null && (
        <>
          <SpeechFields form={form} />
          {heardSections(id).map((section) => (
            <SectionFields key={section.section} form={form} heard={section} />
          ))}
        </>
      )}
    </>
  )
}

function SpeechFields({ form }: FieldsProps) {
  const { speech: t } = useTexts('compose')
  form.watch('language', ({ value }) => form.setFieldValue('calendar', calendarOfLanguage[value]))
  return (
    <div className={layout.fields}>
      <SelectField
        form={form}
        name="language"
        label={t.language}
        description={t.languageHint}
        required
        data={languages.map((language) => ({ value: language, label: t.languages[language] }))}
        emptyText=""
        searchable={false}
      />
      <SelectField
        form={form}
        name="calendar"
        label={t.calendar}
        description={t.calendarHint}
        required
        data={calendars.map((calendar) => ({ value: calendar, label: t.calendars[calendar] }))}
        emptyText=""
        searchable={false}
      />
    </div>
  )
}

function SectionFields({ form, heard: { section, parts } }: { form: FormOfCompose; heard: HeardSection }) {
  const { speech: t, keyNames } = useTexts('compose')
  const key = keyOfSection(section)
  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>{key === undefined ? t.first : t.afterKey(key)}</legend>
      {key !== undefined && <KeyName form={form} of={key} label={keyNames.this} />}
      {parts.map((part) =>
        part.type === undefined ? (
          <SpokenValue key={part.role} form={form} value={part} />
        ) : (
          <PromptField key={part.type} form={form} role={part.type} />
        ),
      )}
    </fieldset>
  )
}

/** The column, an example of its value, and the voice that speaks it. */
function SpokenValue({ form, value: { kind, column } }: { form: FormOfCompose; value: PlayedValue }) {
  const { speech: t } = useTexts('compose')
  const language = useWatched(form, 'language')
  const calendar = useWatched(form, 'calendar')
  const example = textOf(wordsOf(kind, useExample(kind), language, calendar))
  const voices = useQuery(jsonQuery(speechRoutes.voices, { language, calendar })).data
  const voice = voices?.find((one) => one.kind === kind)
  return (
    <p className={classes.spoken}>
      <span>{t.says[kind](column)}</span>
      <q lang={language}>{example}</q>
      {voice && <small>{voice.source === 'pack' ? t.pack(voice.name) : t.voice(serverText(voice.name))}</small>}
    </p>
  )
}

function useExample(kind: SpokenKind): string {
  const today = nepalDayOf(useNow())
  const examples = {
    amount: '12500.50',
    date: today,
    month: '1',
    token: 'A12',
    name: 'Sita Sharma',
    service: 'Internet',
  }
  return examples[kind]
}
