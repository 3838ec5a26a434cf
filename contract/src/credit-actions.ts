export const creditActions = ['credit_add', 'credit_remove', 'campaign_deduction', 'campaign_margin'] as const
export type CreditAction = (typeof creditActions)[number]

export const creditActionWords: Readonly<Record<CreditAction, string>> = {
  credit_add: 'Credit added',
  credit_remove: 'Credit removed',
  campaign_deduction: 'Campaign deduction',
  campaign_margin: 'Campaign margin',
}
