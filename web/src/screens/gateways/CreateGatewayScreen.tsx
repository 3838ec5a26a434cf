import { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import { Suspense } from 'react'
import { useWrite } from '../../api/query.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { blankGateway, toGateway } from './gateway-form.ts'

// Its controls are large, so the page does not wait for them.
const GatewayForm = late(() => import('./GatewayForm.tsx'))

export default function CreateGatewayScreen() {
  const t = useTexts('gateways')
  const { created } = useTexts('gatewayForms')
  const leave = useLeave()
  const create = useWrite(smsGatewayRoutes.create, [smsGatewayRoutes.list])
  return (
    <Page title={t.create}>
      <Suspense fallback={<div className={lines.loading} aria-busy />}>
        <GatewayForm
          initial={blankGateway}
          gateway={null}
          submit={t.create}
          onSave={async (values) => {
            await create.mutateAsync({ input: toGateway(values) })
            await leave('/gateway-list', created)
          }}
        />
      </Suspense>
    </Page>
  )
}
