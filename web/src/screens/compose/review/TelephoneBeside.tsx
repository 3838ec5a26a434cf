import { Suspense } from 'react'
import { late } from '../../../components/ui/loading/late.tsx'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import type { ComposeForm } from '../form.ts'
import { labelsOf } from '../wire-fields.ts'
import { bodyOfCall } from './heard-body.ts'

const Telephone = late(async () => {
  const [part] = await Promise.all([import('../../preview-call/Telephone.tsx'), loadTexts('previewCall')])
  return part
})
void Telephone.preload()

/** Plays the call as the form has it. */
export function TelephoneBeside({ values, baseId }: { values: ComposeForm; baseId: number | null }) {
  const t = useTexts('compose')
  return (
    <aside className={classes.telephone} aria-label={t.hear.title}>
      <h2>{t.hear.title}</h2>
      <Suspense fallback={<div aria-busy className={classes.silent} />}>
        <Telephone body={bodyOfCall(values, baseId)} missing={t.hear.incomplete} labels={labelsOf(t, values)} />
      </Suspense>
    </aside>
  )
}
