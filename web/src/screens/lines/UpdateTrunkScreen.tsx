import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { showSuccess } from '../../components/ui/dialogs/dialogs.ts'
import { useLeave } from '../../components/form/use-leave.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import classes from './Lines.module.css'
import { idOf, useOpened } from './opened.ts'
import { beginTrunkTest } from './show-trunk-test.tsx'
import { toUpdateTrunk, valuesOfTrunk, type TrunkDetail } from './trunk-form.ts'

// Beside the trunk's own values, so that the page does not wait for it.
const TrunkForm = late(async () => ({ default: (await import('./TrunkForm.tsx')).TrunkForm }))

export const loader = screenLoader(({ params, prefetch }) => {
  const trunkId = idOf(params.selectedTrunkId)
  void prefetch(jsonQuery(dialerRoutes.choices, {}))
  if (trunkId !== null) void prefetch(jsonQuery(trunkRoutes.detail, { trunkId }))
})

export default function UpdateTrunkScreen() {
  const trunkId = idOf(useParams().selectedTrunkId)
  return trunkId === null ? <NotFound /> : <Opened key={trunkId} trunkId={trunkId} />
}

function Opened({ trunkId }: { trunkId: number }) {
  const { trunks } = useTexts('lines')
  const detail = useQuery(jsonQuery(trunkRoutes.detail, { trunkId }))
  const opened = useOpened(detail)
  return (
    <Page title={trunks.update} subtitle={<Link to="/trunk-list">{trunks.back}</Link>}>
      {!opened && detail.error && <Failure error={detail.error} onRetry={() => void detail.refetch()} />}
      {!opened && !detail.error && <div className={classes.loading} aria-busy />}
      {opened && <Loaded trunk={opened} />}
    </Page>
  )
}

function Loaded({ trunk }: { trunk: TrunkDetail }) {
  const t = useTexts('lines')
  const navigate = useNavigate()
  const leave = useLeave()
  const update = useWrite(trunkRoutes.update, [trunkRoutes.list, trunkRoutes.detail])
  return (
    <Suspense fallback={<div className={classes.loading} aria-busy />}>
      <TrunkForm
        initial={valuesOfTrunk(trunk)}
        trunk={trunk}
        submit={t.trunks.update}
        failure={messages.trunkUpdateFailed}
        onSave={async (values, test) => {
          const { trunkId } = trunk
          await update.mutateAsync({ input: toUpdateTrunk(trunkId, values) })
          if (!test) return showSuccess(t.trunks.updated, () => void navigate('/trunk-list'))
          await leave('/trunk-list', t.trunks.updated)
          await beginTrunkTest({ trunkId, trunkName: values.trunkName.trim() }, t)
        }}
      />
    </Suspense>
  )
}
