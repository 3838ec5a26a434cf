import { ownValue } from '@ghanti/contract/own-values.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import { MultiSelectField } from '../../components/form/select/MultiSelectField.tsx'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextAreaField, TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { ContractPicker } from './ContractPicker.tsx'
import { DialerPicker } from './DialerPicker.tsx'
import { trunkFields, trunkGroups, type TrunkName, type TrunkTab, type TrunkValues } from './trunk-form.ts'
import classes from './Lines.module.css'

type RowsProps = { form: Form<TrunkValues>; hasSecret: boolean }

/** The fields of a tab; those of the last one in its groups. */
export default function TrunkRows({ tab, ...props }: RowsProps & { tab: TrunkTab }) {
  const { groups } = useTexts('trunkForms')
  const namesIn = (group: (typeof trunkGroups)[number] | undefined) =>
    trunkFields.flatMap(([name, field]) => (field.tab === tab && field.group === group ? [name] : []))
  return (
    <>
      {namesIn(undefined).map((name) => (
        <TrunkRow key={name} name={name} {...props} />
      ))}
      {trunkGroups.map((group) => {
        const names = namesIn(group)
        if (names.length === 0) return null
        return (
          <fieldset key={group} className={classes.part}>
            <legend>{groups[group]}</legend>
            {names.map((name) => (
              <TrunkRow key={name} name={name} {...props} />
            ))}
          </fieldset>
        )
      })}
    </>
  )
}

const field = new Map(trunkFields)

function TrunkRow({ form, name, hasSecret }: RowsProps & { name: TrunkName }) {
  const t = useTexts('trunkForms')
  const emptyText = useTexts('common').form.nothingFound
  const of = field.get(name)
  if (!of) return null
  const { kind, required = false } = of
  const hint = kind === 'secret' && hasSecret ? t.secretKept : ownValue<string>(t.hints, name)
  const shared = { form, name, label: t.fields[name], required, ...(hint !== undefined && { description: hint }) }
  const looks = { maxLength: of.maxLength, inputMode: of.inputMode, autoComplete: 'off' }
  if (name === 'dialerId') return <DialerPicker form={form} />
  if (name === 'contractId') return <ContractPicker form={form} />
  if (kind === 'flag') return <CheckboxField {...shared} />
  if (kind === 'number') return <TextField {...shared} {...wholeNumber} />
  if (kind === 'clis') return <TextAreaField {...shared} {...looks} />
  if (kind === 'secret') return <TextField {...shared} {...looks} type="password" autoComplete="new-password" />
  if (kind === 'several') return <MultiSelectField {...shared} data={[...of.options]} emptyText={emptyText} />
  if (kind === 'choice') {
    const words = ownValue<Readonly<Record<string, string>>>(t.choices, name)
    const options = of.options ?? []
    const data = options.map((value) => ({ value, label: (words && ownValue(words, value)) ?? value.toUpperCase() }))
    return <SelectField {...shared} data={data} emptyText={emptyText} />
  }
  return <TextField {...shared} {...looks} />
}
