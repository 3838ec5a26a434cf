import { Loader } from '@mantine/core'
import { Suspense, useId } from 'react'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { composeTemplateOf, composeTemplates } from './templates/table.ts'
import { cardWords } from './templates/template.ts'
import TemplateIcon from './templates/TemplateIcon.tsx'
import { useWatched } from './use-watched.ts'

export function TemplateSection({ form }: { form: FormOfCompose }) {
  const chosen = useWatched(form, 'template')
  const template = composeTemplateOf(chosen)
  return (
    <>
      <TemplateCards form={form} chosen={chosen} />
      {template && (
        <Suspense fallback={<Loader size="sm" />}>
          <template.Fields form={form} />
        </Suspense>
      )}
    </>
  )
}

function TemplateCards({ form, chosen }: { form: FormOfCompose; chosen: string | null }) {
  const t = useTexts('compose')
  const errorId = useId()
  const error = form.errors['template']
  return (
    <fieldset className={classes.cards} aria-describedby={error ? errorId : undefined}>
      <legend className={classes.label}>
        {t.template} <span aria-hidden>*</span>
      </legend>
      {composeTemplates.map((template) => (
        <label key={template.id} className={classes.card}>
          <input
            type="radio"
            name="template"
            required
            data-path="template"
            checked={chosen === String(template.id)}
            onChange={() => form.setFieldValue('template', String(template.id))}
          />
          <TemplateIcon id={template.shows} size={20} />
          <span>{cardWords(template, t).label}</span>
          <small>{cardWords(template, t).does}</small>
        </label>
      ))}
      {typeof error === 'string' && (
        <p id={errorId} className={classes.error}>
          {fieldText(t.template, error)}
        </p>
      )}
    </fieldset>
  )
}
