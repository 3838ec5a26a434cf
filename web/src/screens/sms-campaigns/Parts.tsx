import type { SmsCampaignSummary } from '@ghanti/contract/sms-campaigns.ts'
import { PageTabs, TabList, TabPanel } from '../../components/ui/Tabs.tsx'
import { useTexts } from '../../i18n/language.ts'
import { Facts, History } from './Facts.tsx'
import { Messages } from './Messages.tsx'

const tabs = ['messages', 'setup', 'history'] as const

export default function Parts({ summary }: { summary: SmsCampaignSummary }) {
  const t = useTexts('smsCampaigns')
  return (
    <PageTabs keys={tabs} always>
      <TabList label={summary.campaignName} tabs={tabs.map((key) => ({ key, label: t.tabs[key] }))} />
      <TabPanel tab="messages">
        <Messages summary={summary} />
      </TabPanel>
      <TabPanel tab="setup">
        <Facts summary={summary} />
      </TabPanel>
      <TabPanel tab="history">
        <History summary={summary} />
      </TabPanel>
    </PageTabs>
  )
}
