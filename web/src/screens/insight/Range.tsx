import type { CallInsight } from '@ghanti/contract/insight.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useSession } from '../../api/session.ts'
import Empty from '../../components/ui/Empty.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Insight.module.css'

export function Range({ answer }: { answer: Pick<CallInsight, 'from' | 'to' | 'before'> }) {
  const t = useTexts('insight')
  const format = useFormat()
  const { from, to, before } = answer
  return (
    <p className={classes.range}>
      <span>{t.range(format.day(from), format.day(to))}</span>
      <span>{t.beforeRange(format.day(before.from), format.day(before.to))}</span>
    </p>
  )
}

export function Nothing({ text, answer }: { text: string; answer: Pick<CallInsight, 'from' | 'to' | 'before'> }) {
  const { shell } = useTexts('common')
  const { role } = useSession()
  return (
    <>
      <Range answer={answer} />
      <Empty drawing="results" text={text}>
        {role === 'user' && (
          <Button component={Link} to="/add-voice-campaign">
            {shell.newCampaign}
          </Button>
        )}
      </Empty>
    </>
  )
}
