import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import type { TrunkValues } from './trunk-form.ts'

export function DialerPicker({ form }: { form: Form<TrunkValues> }) {
  const { fields } = useTexts('trunkForms')
  const dialers = useQuery(jsonQuery(dialerRoutes.choices, {}))
  return (
    <SelectField
      form={form}
      name="dialerId"
      label={fields.dialerId}
      required
      data={dialers.data?.map(({ dialerId, dialerName }) => ({ value: String(dialerId), label: dialerName }))}
      emptyText={serverText(messages.noDialerFound)}
      loadError={dialers.error && !dialers.data ? failureTexts(dialers.error).message : undefined}
    />
  )
}
