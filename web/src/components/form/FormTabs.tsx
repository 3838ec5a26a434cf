import { useState, type ReactNode } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { AllTabs, TabList, TabPanel } from '../ui/Tabs.tsx'

type FormTab = { key: string; label: string; fields: readonly string[]; content: ReactNode }
type FormTabsProps = {
  label: string
  tabs: readonly FormTab[]
  errors: Readonly<Record<string, unknown>>
  /** How often the form was to be sent. */
  attempts: number
  /** '2 errors'. */
  errorsIn: (count: string) => string
  /** The field whose tab is to open: another object each time. */
  wanted?: { name: string } | null
}

/** Parts of a long form, one at a time. New errors, and another attempt to send, open the first tab that has some; every tab says how many it has. */
export default function FormTabs({ label, tabs, errors, attempts, errorsIn, wanted = null }: FormTabsProps) {
  const format = useFormat()
  const [open, setOpen] = useState(tabs[0]?.key ?? '')
  const [seen, setSeen] = useState({ errors, attempts, wanted })
  const wrong = new Set(Object.entries(errors).flatMap(([name, error]) => (error ? [name] : [])))
  const countOf = ({ fields }: FormTab) => fields.filter((name) => wrong.has(name)).length
  // While rendering, so that the field is visible when it gets the focus.
  if (seen.wanted !== wanted) {
    setSeen({ errors, attempts, wanted })
    const its = tabs.find(({ fields }) => wanted && fields.includes(wanted.name))
    if (its) setOpen(its.key)
  } else if (seen.errors !== errors || seen.attempts !== attempts) {
    setSeen({ errors, attempts, wanted })
    const isNew = seen.attempts !== attempts || [...wrong].some((name) => !Object.hasOwn(seen.errors, name))
    const first = tabs.find((tab) => countOf(tab) > 0)
    if (isNew && first) setOpen(first.key)
  }
  const named = tabs.map((tab) => {
    const count = countOf(tab)
    return {
      key: tab.key,
      label: tab.label,
      ...(count > 0 && { mark: errorsIn(format.count(count)) }),
    }
  })
  return (
    <AllTabs open={open} choose={setOpen}>
      <TabList label={label} tabs={named} />
      {tabs.map(({ key, content }) => (
        <TabPanel key={key} tab={key}>
          {content}
        </TabPanel>
      ))}
    </AllTabs>
  )
}
