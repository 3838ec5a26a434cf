import layout from '../../components/form/Form.module.css'
import { cliPools, cliUploadTypes } from '@ghanti/contract/lines.ts'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { TrunkPicker } from './TrunkPicker.tsx'
import type { UploadValues } from './upload-form.ts'

export default function UploadFields({ form }: { form: Form<UploadValues> }) {
  const { upload: t, fields, pools } = useTexts('clis')
  const common = useTexts('common')
  return (
    <>
      <div className={layout.fields}>
        <SelectField
          form={form}
          name="uploadType"
          label={fields.uploadType}
          data={cliUploadTypes.map((value) => ({ value, label: t.types[value] }))}
          emptyText={common.form.nothingFound}
        />
        <SelectField
          form={form}
          name="pool"
          label={fields.pool}
          description={t.poolHint}
          data={cliPools.map((value) => ({ value, label: pools[value] }))}
          emptyText={common.form.nothingFound}
        />
      </div>
      <TrunkPicker form={form} name="trunkName" label={fields.trunkName} description={t.trunkHint} clearable />
    </>
  )
}
