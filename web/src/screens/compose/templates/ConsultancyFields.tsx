import { consultancyKeys } from '@ghanti/contract/templates.ts'
import { PromptField } from '../PromptField.tsx'
import { consultancyMenus } from './consultancy.ts'
import { KeyNames } from './KeyNames.tsx'
import type { FieldsProps } from './template.ts'

export default function ConsultancyFields({ form }: FieldsProps) {
  return (
    <>
      <PromptField form={form} role="welcome" />
      {consultancyMenus.map((menu, index) => (
        <PromptField key={menu} form={form} role={menu} keys={consultancyKeys[index] ?? []} />
      ))}
      <KeyNames form={form} />
    </>
  )
}
