import type { Form } from '../../components/form/field.ts'
import { useTexts } from '../../i18n/language.ts'
import type { AddCliValues } from './AddCliScreen.tsx'
import { TrunkPicker } from './TrunkPicker.tsx'

export default function AddTrunk({ form }: { form: Form<AddCliValues> }) {
  const { fields } = useTexts('clis')
  return <TrunkPicker form={form} name="trunkName" label={fields.trunkName} required />
}
