import { TextAreaField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { entriesOf, fieldsOfList } from './list-field.ts'
import { SettingForm } from './SettingForm.tsx'

const hostsMax = 100
const fields = fieldsOfList('smsAddressHosts', 'hosts', hostsMax)

export function SmsAddressHosts({ opened }: { opened: readonly string[] }) {
  const t = useTexts('settings').smsAddressHosts
  return (
    <SettingForm
      texts={t}
      initial={{ hosts: opened.join('\n') }}
      labels={Object.fromEntries(Object.keys(fields).map((wire) => [wire, t.field]))}
      fields={fields}
      inputOf={({ hosts }) => ({ smsAddressHosts: entriesOf(hosts, /[\s,]+/) })}
    >
      {(form) => <TextAreaField form={form} name="hosts" label={t.field} description={t.hint} rows={3} />}
    </SettingForm>
  )
}
