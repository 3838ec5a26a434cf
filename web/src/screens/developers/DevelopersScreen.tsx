import { hookRoutes } from '@ghanti/contract/hooks.ts'
import { keyRoutes } from '@ghanti/contract/keys.ts'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { PageTabs, TabList, TabPanel, tabParameter } from '../../components/ui/Tabs.tsx'
import classes from './Developers.module.css'
import { developerTabs } from './tabs.ts'
import { useDeveloperTexts } from './texts.ts'

const parts = {
  keys: late(() => import('./keys/Keys.tsx')),
  webhooks: late(() => import('./hooks/Hooks.tsx')),
  deliveries: late(() => import('./deliveries/Deliveries.tsx')),
  reference: late(() => import('./reference/Reference.tsx')),
}

const tabOf = (params: URLSearchParams) =>
  developerTabs.find((tab) => tab === params.get(tabParameter)) ?? developerTabs[0]

export const loader = screenLoader(({ url, prefetch }) => {
  const open = tabOf(url.searchParams)
  void parts[open].preload()
  if (open === 'keys') void prefetch(jsonQuery(keyRoutes.list, {}))
  else if (open !== 'reference') void prefetch(jsonQuery(hookRoutes.list, {}))
})

/** What programs of the account show, what they are told, and how they are written. */
export default function DevelopersScreen() {
  const t = useDeveloperTexts()
  const [params] = useSearchParams()
  const open = tabOf(params)
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <PageTabs keys={developerTabs} always>
        <TabList label={t.title} tabs={developerTabs.map((key) => ({ key, label: t.tabs[key] }))} />
        {developerTabs.map((tab) => (
          <TabPanel key={tab} tab={tab}>
            {tab === open && <Opened tab={tab} />}
          </TabPanel>
        ))}
      </PageTabs>
    </Page>
  )
}

function Opened({ tab }: { tab: (typeof developerTabs)[number] }) {
  const Part = parts[tab]
  return (
    <Suspense fallback={<div className={classes.loading} aria-busy />}>
      <Part />
    </Suspense>
  )
}
