import type { Customer } from '@ghanti/contract/customers.ts'
import { TabPanel } from '../../components/ui/Tabs.tsx'
import { useTexts } from '../../i18n/language.ts'
import { StoredFields } from '../profile/StoredSection.tsx'
import classes from './Customer.module.css'
import { Details, SignIns } from './Details.tsx'
import { Months } from './Months.tsx'

export default function Rest({ customer }: { customer: Customer }) {
  const { stored } = useTexts('customers')
  return (
    <>
      <TabPanel tab="months">
        <Months customer={customer} />
      </TabPanel>
      <TabPanel tab="account">
        <section aria-labelledby="customer-stored" className={classes.part}>
          <h2 id="customer-stored">{stored}</h2>
          <StoredFields used={customer.used} quotas={customer.quotas} />
        </section>
        <Details customer={customer} />
        <SignIns customer={customer} />
      </TabPanel>
    </>
  )
}
