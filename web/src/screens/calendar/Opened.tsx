import { Button } from '@mantine/core'
import type { Role } from '@ghanti/contract/roles.ts'
import layout from '../../components/form/Form.module.css'
import { Status } from '../../components/ui/Status.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { openEdit, openEditMessages } from '../edit-campaign/dialogs.tsx'
import classes from './Calendar.module.css'
import { stateText, toneOfPlan } from './Chip.tsx'
import { pathOf, wireOf, type Plan } from './plans.ts'

type OpenedProps = { plan: Plan; role: Role; go: (path: string) => void; close: () => void }

export function Opened({ plan, role, go, close }: OpenedProps) {
  const t = useTexts('calendar')
  const format = useFormat()
  const { kind, id: campaignId, name: campaignName, owner, refusal, finishedTime } = plan
  const change = () => void (kind === 'calls' ? openEdit : openEditMessages)({ campaignId, campaignName })
  const openPage = () => {
    close()
    go(pathOf(plan))
  }
  const facts = [
    [t.facts.kind, t.kinds[kind]],
    [t.facts.starts, format.time(wireOf(plan))],
    ...(finishedTime === null ? [] : [[t.facts.ended, format.time(finishedTime)]]),
    ...(role === 'user' || owner === '' ? [] : [[t.facts.owner, owner]]),
  ]
  return (
    <div className={layout.form}>
      <Status is={toneOfPlan(plan)}>{stateText(plan, t)}</Status>
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {refusal !== null && <p className={layout.hint}>{t.refusals[refusal]}</p>}
      <div className={layout.buttons}>
        <Button variant={refusal === null ? 'default' : 'filled'} onClick={openPage}>
          {t.openPage}
        </Button>
        {refusal === null && <Button onClick={change}>{t.change}</Button>}
      </div>
    </div>
  )
}
