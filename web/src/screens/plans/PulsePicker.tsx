import { messages } from '@ghanti/contract/messages.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import type { PlanValues } from './plan-form.ts'

export default function PulsePicker({ form }: { form: Form<PlanValues> }) {
  const t = useTexts('plans')
  const format = useFormat()
  const pulses = useQuery(jsonQuery(planRoutes.pulses, {}))
  return (
    <SelectField
      form={form}
      name="pulseDuration"
      label={t.fields.pulseDuration}
      required
      data={pulses.data?.map(({ pulseDuration: seconds }) => ({
        value: String(seconds),
        label: t.seconds(format.count(seconds)),
      }))}
      emptyText={serverText(messages.noPulseFound)}
      loadError={pulses.error && !pulses.data ? failureTexts(pulses.error).message : undefined}
    />
  )
}
