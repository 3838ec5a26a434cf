import layout from '../../components/form/Form.module.css'
import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { showSuccess } from '../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { toUpdateDialer, valuesOfDialer, type DialerDetail } from './dialer-form.ts'
import { DialerForm } from './DialerForm.tsx'
import { giveUp, whyKept } from './give-up.ts'
import classes from './Lines.module.css'
import { idOf, useOpened } from './opened.ts'

export const loader = screenLoader(({ params, prefetch }) => {
  const dialerId = idOf(params.selectedDialerId)
  if (dialerId !== null) void prefetch(jsonQuery(dialerRoutes.detail, { dialerId }))
})

export default function UpdateDialerScreen() {
  const dialerId = idOf(useParams().selectedDialerId)
  return dialerId === null ? <NotFound /> : <Opened key={dialerId} dialerId={dialerId} />
}

function Opened({ dialerId }: { dialerId: number }) {
  const { dialers } = useTexts('lines')
  const detail = useQuery(jsonQuery(dialerRoutes.detail, { dialerId }))
  const opened = useOpened(detail)
  return (
    <Page title={dialers.update} subtitle={<Link to="/dialer-list">{dialers.back}</Link>}>
      {!opened && detail.error && <Failure error={detail.error} onRetry={() => void detail.refetch()} />}
      {!opened && !detail.error && <div className={classes.loading} aria-busy />}
      {opened && <Loaded dialer={opened} />}
    </Page>
  )
}

function Loaded({ dialer }: { dialer: DialerDetail }) {
  const { dialers } = useTexts('lines')
  const format = useFormat()
  const navigate = useNavigate()
  const kept = whyKept(dialer, dialers)
  const update = useWrite(dialerRoutes.update, [dialerRoutes.list, dialerRoutes.choices, dialerRoutes.detail])
  return (
    <>
      <DialerForm
        initial={valuesOfDialer(dialer)}
        dialer={dialer}
        submit={dialers.update}
        onSave={async (values) => {
          await update.mutateAsync({ input: toUpdateDialer(dialer.dialerId, values) })
          showSuccess(dialers.updated, () => void navigate('/dialer-list'))
        }}
      />
      <section className={layout.group} aria-label={dialers.giveUp}>
        {kept && <p className={layout.hint}>{kept}</p>}
        <div>
          <Button
            color="var(--problem-text)"
            variant="outline"
            disabled={!!kept}
            onClick={() => giveUp(dialer, dialers, format)}
          >
            {dialers.giveUp}
          </Button>
        </div>
      </section>
    </>
  )
}
