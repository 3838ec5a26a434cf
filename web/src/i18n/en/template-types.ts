import { templates, type TemplateId } from '@ghanti/contract/template-names.ts'

const [simple, dtmf, patch, auto1, auto2, auto3, insurance, reminder, consultancy] = templates
export const templateTypes: Readonly<Record<TemplateId, string>> = {
  0: simple.typeLabel,
  1: dtmf.typeLabel,
  2: patch.typeLabel,
  3: auto1.typeLabel,
  4: auto2.typeLabel,
  5: auto3.typeLabel,
  6: insurance.typeLabel,
  7: reminder.typeLabel,
  8: consultancy.typeLabel,
}
