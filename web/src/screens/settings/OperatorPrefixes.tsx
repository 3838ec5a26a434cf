import { operators, type OperatorPrefixes as Prefixes } from '@ghanti/contract/operators.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { entriesOf, fieldsOfList } from './list-field.ts'
import { SettingForm } from './SettingForm.tsx'

const prefixesMax = 100
/** A prefix that two operators have is reported at the first field. */
const fields: Record<string, keyof Prefixes> = {
  operatorPrefixes: 'ntc',
  ...fieldsOfList('operatorPrefixes.ntc', 'ntc', prefixesMax),
  ...fieldsOfList('operatorPrefixes.ncell', 'ncell', prefixesMax),
  ...fieldsOfList('operatorPrefixes.smart', 'smart', prefixesMax),
}

export function OperatorPrefixes({ opened }: { opened: Prefixes }) {
  const t = useTexts('settings').operatorPrefixes
  const labels = Object.fromEntries(Object.entries(fields).map(([wire, name]) => [wire, t.fields[name]]))
  return (
    <SettingForm
      texts={t}
      initial={{ ntc: opened.ntc.join(' '), ncell: opened.ncell.join(' '), smart: opened.smart.join(' ') }}
      labels={labels}
      fields={fields}
      inputOf={({ ntc, ncell, smart }) => ({
        operatorPrefixes: { ntc: prefixesIn(ntc), ncell: prefixesIn(ncell), smart: prefixesIn(smart) },
      })}
    >
      {(form) =>
        operators.map((operator) => (
          <TextField key={operator} form={form} name={operator} label={t.fields[operator]} autoComplete="off" />
        ))
      }
    </SettingForm>
  )
}

const prefixesIn = (typed: string) => entriesOf(typed, /[\s,]+/)
