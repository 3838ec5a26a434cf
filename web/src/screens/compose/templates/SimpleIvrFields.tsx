import { PromptField } from '../PromptField.tsx'
import type { FieldsProps } from './template.ts'

export default function SimpleIvrFields({ form }: FieldsProps) {
  return <PromptField form={form} role="welcome" />
}
