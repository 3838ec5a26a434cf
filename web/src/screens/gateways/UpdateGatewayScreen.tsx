import { smsGatewayRoutes, type GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import lines from '../lines/Lines.module.css'
import { idOf, useOpened } from '../lines/opened.ts'
import { toGateway, valuesOfGateway } from './gateway-form.ts'

// Its controls are large, so the page does not wait for them.
const GatewayForm = late(() => import('./GatewayForm.tsx'))
const GatewayReceipts = late(() => import('./GatewayReceipts.tsx'))

export const loader = screenLoader(({ params, prefetch }) => {
  const gatewayId = idOf(params.selectedGatewayId)
  if (gatewayId !== null) void prefetch(jsonQuery(smsGatewayRoutes.detail, { gatewayId }))
})

export default function UpdateGatewayScreen() {
  const gatewayId = idOf(useParams().selectedGatewayId)
  return gatewayId === null ? <NotFound /> : <Opened key={gatewayId} gatewayId={gatewayId} />
}

function Opened({ gatewayId }: { gatewayId: number }) {
  const t = useTexts('gatewayForms')
  const detail = useQuery(jsonQuery(smsGatewayRoutes.detail, { gatewayId }))
  const opened = useOpened(detail)
  return (
    <Page title={t.update} subtitle={<Link to="/gateway-list">{t.back}</Link>}>
      {!opened && detail.error && <Failure error={detail.error} onRetry={() => void detail.refetch()} />}
      {!opened && !detail.error && <div className={lines.loading} aria-busy />}
      {opened && <Loaded gateway={opened} />}
      {opened && opened.driver !== 'simulator' && (
        <Suspense>
          <GatewayReceipts receipts={detail.data?.receipts ?? opened.receipts} />
        </Suspense>
      )}
    </Page>
  )
}

function Loaded({ gateway }: { gateway: GatewayDetail }) {
  const t = useTexts('gatewayForms')
  const leave = useLeave()
  const update = useWrite(smsGatewayRoutes.update, [smsGatewayRoutes.list, smsGatewayRoutes.detail])
  return (
    <Suspense fallback={<div className={lines.loading} aria-busy />}>
      <GatewayForm
        initial={valuesOfGateway(gateway)}
        gateway={gateway}
        submit={t.update}
        onSave={async (values) => {
          await update.mutateAsync({ input: { gatewayId: gateway.gatewayId, ...toGateway(values) } })
          await leave('/gateway-list', t.updated)
        }}
      />
    </Suspense>
  )
}
