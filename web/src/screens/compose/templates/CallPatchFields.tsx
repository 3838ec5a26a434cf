import { AgentFields } from './AgentFields.tsx'
import { MenuFields, OptionalPrompts } from './MenuFields.tsx'
import type { FieldsProps } from './template.ts'

export default function CallPatchFields({ form }: FieldsProps) {
  return (
    <>
      <MenuFields form={form} />
      <AgentFields form={form} />
      <OptionalPrompts form={form} />
    </>
  )
}
