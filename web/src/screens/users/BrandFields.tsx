import { mebibyte } from '@ghanti/contract/values.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import type { Form } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import type { UserValues } from './user-form.ts'

export default function BrandFields({ form, isUpdate }: { form: Form<UserValues>; isUpdate: boolean }) {
  const { fields } = useTexts('users')
  return (
    <>
      <FileField
        form={form}
        name="logo"
        label={fields.logo}
        description={fields.logoHint}
        accept=".png,.jpg,.jpeg,.webp,.gif,image/png,image/jpeg,image/webp,image/gif"
        maxBytes={mebibyte}
      />
      <TextField
        form={form}
        name="domain"
        label={fields.domain}
        description={isUpdate ? fields.domainEmpty : fields.domainHint}
        maxLength={253}
        autoComplete="off"
      />
    </>
  )
}
