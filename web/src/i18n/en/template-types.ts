import { templates, type TemplateId } from '@ghanti/contract/template-names.ts'

export const templateTypes = Object.fromEntries(templates.map(({ id, typeLabel }) => [id, typeLabel])) as Readonly<
  Record<TemplateId, string>
>
