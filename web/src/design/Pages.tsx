import FormTabs from '../components/form/FormTabs.tsx'
import { PageTabs, TabList, TabPanel } from '../components/ui/Tabs.tsx'
import { Part } from './Part.tsx'

const keys = ['calls', 'money', 'people'] as const
const tabs = [
  { key: 'calls', label: 'Calls' },
  { key: 'money', label: 'Money' },
  { key: 'people', label: 'People' },
]
const errors = { money: 'is required' }

export function Pages() {
  return (
    <Part title="Parts of a page">
      <PageTabs keys={keys}>
        <TabList label="Parts" tabs={tabs} />
        {tabs.map(({ key, label }) => (
          <TabPanel key={key} tab={key}>
            <p>{label}: one part of the page.</p>
          </TabPanel>
        ))}
      </PageTabs>
      <FormTabs
        label="Parts of a form"
        tabs={tabs.map(({ key, label }) => ({
          key,
          label,
          fields: [key],
          content: <p>{label}: some of the fields.</p>,
        }))}
        errors={errors}
        attempts={0}
        errorsIn={(count) => `${count} error`}
      />
    </Part>
  )
}
