import { consultancyKeys } from '@ghanti/contract/templates.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import { PromptField } from '../PromptField.tsx'
import { consultancyMenus } from './consultancy.ts'
import { MenuTimes } from './MenuFields.tsx'
import type { FieldsProps } from './template.ts'

export default function ConsultancyFields({ form }: FieldsProps) {
  const t = useTexts('compose')
  return (
    <>
      <PromptField form={form} role="welcome" />
      {consultancyMenus.map((menu, index) => (
        <div key={menu}>
          <PromptField form={form} role={menu} />
          <p className={classes.hint}>{t.keysOf(consultancyKeys[index]?.join(', ') ?? '')}</p>
        </div>
      ))}
      <MenuTimes form={form} />
    </>
  )
}
