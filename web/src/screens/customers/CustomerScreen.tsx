import { customerRoutes, type Customer } from '@ghanti/contract/customers.ts'
import { Button } from '@mantine/core'
import { IconCoins } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../../components/table/RowMenu.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { PageTabs, TabList, TabPanel } from '../../components/ui/Tabs.tsx'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { idOf } from '../lines/opened.ts'
import { actionsOf, liftOf } from '../users/actions.tsx'
import { factorAction } from '../users/factors.ts'
import classes from './Customer.module.css'
import { Figures } from './Figures.tsx'

const FrozenBar = late(() => import('../freezing/FrozenBar.tsx'))
// Loaded with their texts after the first paint, because they stand below the figures.
const Campaigns = late(() => import('./Campaigns.tsx'))
const Rest = late(async () => {
  const [part] = await Promise.all([import('./Rest.tsx'), loadTexts('profile')])
  return part
})

const tabs = ['now', 'campaigns', 'months', 'account'] as const

/** Channels in use and the balance change with every call. */
const againMs = 15_000

export const loader = screenLoader(({ params, prefetch }) => {
  const userId = idOf(params.selectedUserId)
  if (userId !== null) void prefetch(jsonQuery(customerRoutes.detail, { userId }))
})

export default function CustomerScreen() {
  const userId = idOf(useParams().selectedUserId)
  return userId === null ? <NotFound /> : <Opened key={userId} userId={userId} />
}

function Opened({ userId }: { userId: number }) {
  const t = useTexts('customers')
  const users = useTexts('users')
  const query = useQuery({ ...jsonQuery(customerRoutes.detail, { userId }), refetchInterval: againMs })
  const { data: customer, error } = query
  const below = customer && t.below(users.userTypes[customer.account.userType], customer.account.parentUser)
  return (
    <Page
      title={customer ? t.title(customer.account.username) : t.title('')}
      subtitle={
        <>
          {below && `${[customer.account.company, below].filter(Boolean).join(' · ')} · `}
          <Link to="/user-list">{t.back}</Link>
        </>
      }
      actions={customer && <Actions customer={customer} />}
    >
      {!customer && error && <Failure error={error} onRetry={() => void query.refetch()} />}
      {!customer && !error && <div className={classes.loading} aria-busy />}
      {customer && <Parts customer={customer} />}
    </Page>
  )
}

function Actions({ customer: { account, hasSecondFactor } }: { customer: Customer }) {
  const t = useTexts('users')
  const { table } = useTexts('common')
  const format = useFormat()
  const navigate = useNavigate()
  const { userId: viewerId, role } = useSession()
  const go = (path: string) => void navigate(path)
  const context = { t, format, viewerId, role, go, leave: () => go('/user-list') }
  const actions = () => [...actionsOf(account, context), factorAction({ ...account, hasSecondFactor }, context)]
  const recharge = actions().find(({ label }) => label === t.actions.addRecharge)
  return (
    <>
      <ActionMenu label={table.takeAction} subject={account.username} actions={actions} />
      {recharge && recharge.disabledReason === undefined && (
        <Button leftSection={<IconCoins size={16} aria-hidden />} onClick={recharge.onClick}>
          {recharge.label}
        </Button>
      )}
    </>
  )
}

function Parts({ customer }: { customer: Customer }) {
  const t = useTexts('customers')
  const users = useTexts('users')
  const { account } = customer
  return (
    <div className={classes.parts}>
      <Suspense>
        <Frozen account={account} />
      </Suspense>
      {account.disabled && !account.frozen && (
        <p className={classes.stopped} role="status">
          {users.disabled(account.disabled.reason)}
        </p>
      )}
      {account.stoppedBy !== null && account.frozenBy === null && (
        <p className={classes.stopped} role="status">
          {users.stoppedBy(account.stoppedBy)}
        </p>
      )}
      <PageTabs keys={tabs}>
        <TabList label={customer.account.username} tabs={tabs.map((key) => ({ key, label: t.tabs[key] }))} />
        <TabPanel tab="now">
          <Figures customer={customer} />
        </TabPanel>
        <TabPanel tab="campaigns">
          <Suspense fallback={<div className={classes.loading} aria-busy />}>
            <Campaigns account={account} />
          </Suspense>
        </TabPanel>
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <Rest customer={customer} />
        </Suspense>
      </PageTabs>
    </div>
  )
}

function Frozen({ account }: { account: Customer['account'] }) {
  const t = useTexts('users')
  const format = useFormat()
  const { role } = useSession()
  const { frozen, frozenBy, username } = account
  if (!frozen)
    return frozenBy === null ? null : <FrozenBar title={t.frozen.title(username)} text={t.frozen.with(frozenBy)} />
  const since = format.time(frozen.since)
  const { label, disabledReason, onClick } = liftOf(account, { t, format, role })
  return (
    <FrozenBar
      title={t.frozen.title(username)}
      text={frozen.byOwner ? t.frozen.byOwner(since) : t.frozen.since(frozen.reason, since)}
    >
      {disabledReason === undefined ? (
        <Button variant="default" size="compact-md" onClick={onClick}>
          {label}
        </Button>
      ) : (
        <span>{t.frozen.lifters.platform}</span>
      )}
    </FrozenBar>
  )
}
