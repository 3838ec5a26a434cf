import { lostTextMax, type LostServer as Value } from '@ghanti/contract/lost-server.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { TextAreaField, TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'

const fields = {
  'lostServer.seconds': 'seconds',
  'lostServer.nepali': 'nepali',
  'lostServer.english': 'english',
} as const
const sentences = ['nepali', 'english'] as const

/** What dialers do with their calls when no engine is left. */
export function LostServer({ opened }: { opened: Value }) {
  const t = useTexts('settings').lostServer
  return (
    <SettingForm
      texts={t}
      initial={{ ...opened, seconds: String(opened.seconds) }}
      labels={{
        'lostServer.seconds': t.fields.seconds,
        'lostServer.nepali': t.fields.nepali,
        'lostServer.english': t.fields.english,
      }}
      fields={fields}
      inputOf={(lostServer) => ({ lostServer })}
    >
      {(form) => (
        <>
          <TextField form={form} name="seconds" label={t.fields.seconds} required {...wholeNumber} />
          {sentences.map((name) => (
            <TextAreaField key={name} form={form} name={name} label={t.fields[name]} rows={2} maxLength={lostTextMax} />
          ))}
        </>
      )}
    </SettingForm>
  )
}
