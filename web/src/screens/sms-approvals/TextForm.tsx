import { smsSizeOf } from '@ghanti/contract/sms-text.ts'
import { smsTextRoutes, type TextRow } from '@ghanti/contract/sms-texts.ts'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import layout from '../../components/form/Form.module.css'
import { TextAreaField, TextField } from '../../components/form/TextField.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Approvals.module.css'
import { countedLength } from '../sms-campaigns/counted-length.ts'
import { againTexts } from './text-actions.tsx'

const required = (value: string) => (value.trim() ? null : 'is required')

export default function TextForm({ row, close }: { row: TextRow | null; close: () => void }) {
  const { saved: t, cancel } = useTexts('smsApprovals')
  const [text, setText] = useState(row?.smsText ?? '')
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { textName: row?.textName ?? '', smsText: text },
    validate: { textName: required, smsText: required },
  })
  form.watch('smsText', ({ value }) => setText(value))
  const save = async ({ textName, smsText }: typeof form.values) => {
    const name = textName.trim()
    const { textStatus } = await call(smsTextRoutes.save, { textId: row?.textId, textName: name, smsText })
    await againTexts()
    close()
    showDone(textStatus === 0 ? t.waits(name) : t.done(name))
  }
  return (
    <DialogForm form={form} save={save} submit={t.submit} cancel={cancel} close={close}>
      <TextField
        form={form}
        name="textName"
        label={t.fields.textName}
        description={t.nameHint}
        required
        maxLength={100}
        autoComplete="off"
      />
      <TextAreaField form={form} name="smsText" label={t.fields.smsText} description={t.textHint} required rows={5} />
      <Size text={text} />
      {row && <p className={layout.hint}>{t.changeHint}</p>}
    </DialogForm>
  )
}

function Size({ text }: { text: string }) {
  const { saved: t } = useTexts('smsApprovals')
  const format = useFormat()
  const size = smsSizeOf(text)
  const { segments, unicodeSign } = size
  const { length, why } = countedLength(text, size, t.counting, format)
  return (
    <p className={classes.size} role="status">
      {t.size(length, format.count(segments))}
      {unicodeSign !== null && ` · ${t.unicode(unicodeSign)}`}
      {why !== null && ` ${why}`}
    </p>
  )
}
