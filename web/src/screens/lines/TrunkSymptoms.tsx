import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import type { TrunkDetail } from './trunk-form.ts'

/** What calls say of the trunk's sound, keys and answers, each with what to ask the operator. */
export default function TrunkSymptoms({ symptoms }: Pick<TrunkDetail, 'symptoms'>) {
  const t = useTexts('alerts')
  return symptoms.map(({ kind, detail, since }) => (
    <section key={kind} className={classes.symptom} aria-label={t.kinds[kind]}>
      <Status is="problem">{t.kinds[kind]}</Status>
      <p>
        {serverText(detail)} · <NepalTime wire={since} relative />
      </p>
      <p>{t.todo[kind]}</p>
    </section>
  ))
}
