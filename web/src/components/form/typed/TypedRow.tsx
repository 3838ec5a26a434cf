import { ownValue } from '@ghanti/contract/own-values.ts'
import { useTexts } from '../../../i18n/language.ts'
import { CheckboxField } from '../CheckboxField.tsx'
import { wholeNumber, type Form } from '../field.ts'
import { MultiSelectField } from '../select/MultiSelectField.tsx'
import { SelectField } from '../select/SelectField.tsx'
import { TextAreaField, TextField } from '../TextField.tsx'
import type { TypedField } from './typed-fields.ts'

type TypedRowProps<Values> = {
  form: Form<Values>
  name: keyof Values & string
  field: TypedField
  label: string
  hint: string | undefined
  /** What a choice's options are called; those without a word are codes. */
  words?: Readonly<Record<string, string>> | undefined
}

/** A field of a list, as its kind is typed. */
export function TypedRow<Values>({ form, name, field, label, hint, words }: TypedRowProps<Values>) {
  const { form: texts } = useTexts('common')
  const { kind, required = false } = field
  const shared = { form, name, label, required, ...(hint !== undefined && { description: hint }) }
  const looks = { maxLength: field.maxLength, inputMode: field.inputMode, autoComplete: 'off' }
  if (kind === 'flag') return <CheckboxField {...shared} />
  if (kind === 'number' || kind === 'whole') return <TextField {...shared} {...wholeNumber} />
  if (kind === 'clis' || kind === 'area') return <TextAreaField {...shared} {...looks} />
  if (kind === 'secret') return <TextField {...shared} {...looks} type="password" autoComplete="new-password" />
  if (kind === 'several')
    return <MultiSelectField {...shared} data={[...field.options]} emptyText={texts.nothingFound} />
  if (kind === 'choice') {
    const data = (field.options ?? []).map((value) => ({
      value,
      label: (words && ownValue(words, value)) ?? value.toUpperCase(),
    }))
    return <SelectField {...shared} data={data} emptyText={texts.nothingFound} />
  }
  return <TextField {...shared} {...looks} />
}
