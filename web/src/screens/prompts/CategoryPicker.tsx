import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { promptCategories, type PromptCategory } from '@ghanti/contract/templates.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import type { UploadForm } from './upload-form.ts'

export default function CategoryPicker({ form, description }: { form: Form<UploadForm>; description?: string }) {
  const t = useTexts('prompts')
  const common = useTexts('common')
  const categories = useQuery(jsonQuery(promptRoutes.categories, {}))
  return (
    <SelectField
      form={form}
      name="promptCategory"
      label={t.upload.category}
      description={description}
      required
      data={categories.data?.map(({ promptCategory }) => ({
        value: promptCategory,
        label: labelOf(promptCategory, t.categories),
      }))}
      emptyText={common.form.noIdFound}
      loadError={categories.error && !categories.data ? failureTexts(categories.error).message : undefined}
    />
  )
}

function labelOf(category: string, labels: Record<PromptCategory, string>): string {
  const known = promptCategories.find((name) => name === category)
  return known ? labels[known] : category
}
