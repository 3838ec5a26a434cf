import { costOf, type Price } from '@ghanti/contract/money.ts'
import { whyTooCheap, type PlanChoice } from '@ghanti/contract/plans.ts'
import type { Form } from '../../components/form/field.ts'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { typedPrice, type PlanValues } from './plan-form.ts'
import classes from './Plans.module.css'

/** Shorter than a pulse, just over one, over a minute, and long. */
const exampleSeconds = [5, 31, 65, 180, 600]

/** What calls cost at the typed price, beside what its maker pays, and why it is too low. */
export function Examples({ form, own }: { form: Form<PlanValues>; own: PlanChoice | null }) {
  const t = useTexts('plans')
  const format = useFormat()
  // oxlint-disable-next-line react/hooks -- the form's own hook is the same in every render
  const pulse = form.useWatchValue('pulseDuration')
  // oxlint-disable-next-line react/hooks -- as above
  const price = typedPrice(pulse, form.useWatchValue('pulsePrice'))
  const pays = own && { pulseMs: own.pulseDuration * 1000, pulsePaisa: own.pulsePrice }
  const fault = price && pays && whyTooCheap(price, pays)
  return (
    <section className={classes.examples} aria-labelledby="plan-examples">
      <h2 id="plan-examples">{t.examples}</h2>
      <p className={classes.hint}>{t.examplesHint}</p>
      {own && (
        <p className={classes.hint}>
          {t.ownPlan(own.planName, format.count(own.pulsePrice), format.count(own.pulseDuration))}
        </p>
      )}
      <div role="status">
        {!price && <p className={classes.hint}>{t.fillIn}</p>}
        {price?.pulsePaisa === 0 && !fault && <p className={classes.hint}>{t.free}</p>}
        {fault && <p className={classes.fault}>{fieldText(t.fields.pulsePrice, `is too low: ${fault}`)}</p>}
      </div>
      {price && <Costs price={price} pays={pays} />}
    </section>
  )
}

function Costs({ price, pays }: { price: Price; pays: Price | null }) {
  const t = useTexts('plans')
  const format = useFormat()
  const length = (seconds: number) =>
    seconds % 60 === 0 ? t.minutes(format.count(seconds / 60)) : t.seconds(format.count(seconds))
  const rupees = (paisa: number) => format.rupees(paisa / 100)
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t.callLength}</th>
          <th scope="col">{t.customerPays}</th>
          {pays && <th scope="col">{t.youPay}</th>}
          {pays && <th scope="col">{t.youEarn}</th>}
        </tr>
      </thead>
      <tbody>
        {exampleSeconds.map((seconds) => {
          const cost = costOf(seconds * 1000, price)
          const paid = pays && costOf(seconds * 1000, pays)
          return (
            <tr key={seconds}>
              <th scope="row">{length(seconds)}</th>
              <td data-numeric>{rupees(cost)}</td>
              {paid !== null && <td data-numeric>{rupees(paid)}</td>}
              {paid !== null && <td data-numeric>{rupees(cost - paid)}</td>}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
