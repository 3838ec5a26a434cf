import type { texts as english } from '../en/credits.ts'

export const texts: typeof english = {
  title: 'क्रेडिट इतिहास',
  columns: {
    from: 'बाट',
    to: 'लाई',
    fromTo: 'बाट/लाई',
    amount: 'रकम',
    campaign: 'अभियान',
    action: 'कारोबार',
    balance: 'मौज्दात',
    date: 'मिति',
  },
  actions: {
    credit_add: 'क्रेडिट थपियो',
    credit_remove: 'क्रेडिट घटाइयो',
    campaign_deduction: 'अभियान शुल्क',
    campaign_margin: 'अभियानको नाफा',
    sms_refund: 'SMS फिर्ता',
  },
  campaign: 'अभियान',
  subtitle: 'रुपैयाँमा; अभियानको खर्च दिनअनुसार जोडिएको',
  empty: 'अहिलेसम्म क्रेडिट सारिएको छैन र कुनै अभियानमा खर्च भएको छैन।',
}
