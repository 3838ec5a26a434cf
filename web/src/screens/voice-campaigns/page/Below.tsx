import { answerRoutes } from '@ghanti/contract/answers.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { jsonQuery } from '../../../api/query.ts'
import { late } from '../../../components/ui/loading/late.tsx'
import { PageTabs, TabList, TabPanel } from '../../../components/ui/Tabs.tsx'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import classes from '../CampaignDetail.module.css'
import type { CampaignDetail } from './detail.ts'

const Attempts = late(async () => {
  const [part] = await Promise.all([import('./Attempts.tsx'), loadTexts('callReport')])
  return part
})
const Answers = late(() => import('./Answers.tsx'))
for (const part of [Answers, Attempts]) void part.preload()
const FileAndHistory = late(() => import('./FileAndHistory.tsx'))
const Composed = late(() => import('./Composed.tsx'))
const tabs = ['attempts', 'setup', 'history'] as const

/** Shows these together once the answers have loaded, because one that arrived later would move the others. */
export default function Below({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const { isLoading } = useQuery(jsonQuery(answerRoutes.ofCampaign, { campaignId: detail.campaignId }))
  useEffect(() => {
    for (const part of [FileAndHistory, Composed]) void part.preload()
  }, [])
  // Each asks for its data once it is shown, and React would keep a fallback for 300 ms.
  const areLoaded = [Answers.useLoaded(), Attempts.useLoaded()].every(Boolean)
  if (isLoading || !areLoaded) return <div className={classes.later} aria-busy />
  return (
    <>
      <Answers detail={detail} />
      <PageTabs keys={tabs} always>
        <TabList label={detail.campaignName} tabs={tabs.map((key) => ({ key, label: t.tabs[key] }))} />
        <TabPanel tab="attempts">
          <Attempts detail={detail} />
        </TabPanel>
        <TabPanel tab="setup">
          <Composed detail={detail} />
        </TabPanel>
        <TabPanel tab="history">
          <FileAndHistory detail={detail} />
        </TabPanel>
      </PageTabs>
    </>
  )
}
