import { planRoutes } from '@ghanti/contract/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../api/query.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'

/** Name and price; the name alone until the price has loaded. */
export function OwnPlan({ name }: { name: string }) {
  const t = useTexts('profile')
  const format = useFormat()
  const { data } = useQuery(jsonQuery(planRoutes.own, {}))
  const plan = data?.plan
  if (!plan) return name
  const voice = t.perPulse(format.rupees(plan.pulsePrice / 100), format.count(plan.pulseDuration))
  const sms = plan.smsPrice === null ? '' : ` · ${t.perSms(format.rupees(plan.smsPrice / 100))}`
  return `${name} · ${voice}${sms}`
}
