import { ownValue } from '@ghanti/contract/own-values.ts'
import type { Form } from '../../components/form/field.ts'
import { TypedRow } from '../../components/form/typed/TypedRow.tsx'
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
  const of = field.get(name)
  if (!of) return null
  if (name === 'dialerId') return <DialerPicker form={form} />
  if (name === 'contractId') return <ContractPicker form={form} />
  const hint = of.kind === 'secret' && hasSecret ? t.secretKept : ownValue<string>(t.hints, name)
  const words = ownValue<Readonly<Record<string, string>>>(t.choices, name)
  return <TypedRow form={form} name={name} field={of} label={t.fields[name]} hint={hint} words={words} />
}
