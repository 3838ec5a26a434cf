import { keyWithName } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import type { SmsOccasion } from '@ghanti/contract/after-call.ts'
import { useTexts } from '../../../i18n/language.ts'
import { MessageField } from '../../sms-campaigns/compose/MessageField.tsx'
import { problemOfText } from '../../sms-campaigns/compose/text-problem.ts'
import classes from '../Compose.module.css'
import { baseIdOf, type FormOfCompose } from '../form.ts'
import { keyLabelsOf } from '../templates/key-names.ts'
import { bodyOfTexts, keysOfForm, smsFieldsOf, textsOfForm } from './sms-form.ts'
import { SmsTest } from './SmsTest.tsx'
import { useWatched } from '../use-watched.ts'

export type CallTextsProps = {
  form: FormOfCompose
  occasion: SmsOccasion
  columns: readonly string[] | null
  perSegment: number | null
}

/** The text of an occasion; for keys, one for each key that the template accepts. */
export default function CallTexts({ occasion, ...props }: CallTextsProps) {
  return (
    <>
      {occasion === 'dtmf' ? <OfKeys {...props} /> : <OfOccasion {...props} occasion={occasion} />}
      <TextTest form={props.form} occasion={occasion} />
    </>
  )
}

function TextTest({ form, occasion }: Pick<CallTextsProps, 'form' | 'occasion'>) {
  const { sms: t } = useTexts('compose')
  useWatched(form, smsFieldsOf[occasion].text)
  const smsCli = useWatched(form, 'smsCli')
  const values = form.getValues()
  const [text] = textsOfForm(values).filter((one) => one.occasion === occasion && one.text.trim() !== '')
  const baseId = baseIdOf(values)
  const fields = text && smsCli !== null ? { ...bodyOfTexts([text], smsCli), ...(baseId !== null && { baseId }) } : null
  return (
    <>
      <SmsTest occasion={occasion} fields={fields} incomplete={t.test.incomplete} />
      <p className={classes.hint}>{t.test.textHint}</p>
    </>
  )
}

const textFields = { success: 'smsSuccessText', fail: 'smsFailText' } as const

type OfOccasionProps = Omit<CallTextsProps, 'occasion'> & { occasion: keyof typeof textFields }

function OfOccasion({ form, occasion, columns, perSegment }: OfOccasionProps) {
  const { sms: t } = useTexts('compose')
  const name = textFields[occasion]
  const text = useWatched(form, name)
  return (
    <MessageField
      label={`${t[occasion]}: ${t.text}`}
      name={name}
      text={text}
      problem={problemAt(form, name, text, columns)}
      columns={columns}
      isPersonalised
      perSegment={perSegment}
      onChange={(changed) => form.setFieldValue(name, changed)}
    />
  )
}

function OfKeys({ form, columns, perSegment }: Omit<CallTextsProps, 'occasion'>) {
  const { sms: t } = useTexts('compose')
  const texts = useWatched(form, 'smsDtmfTexts')
  useWatched(form, 'keys')
  useWatched(form, 'agents')
  useWatched(form, 'templateName')
  useWatched(form, 'keyLabels')
  const keys = keysOfForm(form.getValues())
  const names = keyLabelsOf(form.getValues())
  if (keys.length === 0) return <p className={classes.hint}>{t.keysFirst}</p>
  const change = (key: string, text: string) => {
    form.setFieldValue('smsDtmfTexts', { ...texts, [key]: text })
    for (const one of keys) form.clearFieldError(`smsDtmfTexts.${one}`)
  }
  return (
    <>
      <p className={classes.hint}>{t.keysHint}</p>
      {keys.map((key) => {
        const text = ownValue(texts, key) ?? ''
        const name = `smsDtmfTexts.${key}`
        return (
          <MessageField
            key={key}
            label={t.textOfKey(keyWithName(names, key))}
            name={name}
            text={text}
            problem={problemAt(form, name, text, columns)}
            columns={columns}
            isPersonalised
            isRequired={false}
            perSegment={perSegment}
            onChange={(changed) => change(key, changed)}
          />
        )
      })}
    </>
  )
}

/** The server's error, or while typing a column that the file lacks. */
function problemAt(form: FormOfCompose, name: string, text: string, columns: CallTextsProps['columns']): string | null {
  const said = ownValue(form.errors, name)
  if (typeof said === 'string') return said
  return text.trim() === '' ? null : problemOfText(text, columns)
}
