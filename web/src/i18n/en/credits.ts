export const texts = {
  title: 'Credits History',
  columns: {
    from: 'From',
    to: 'To',
    fromTo: 'From/To',
    amount: 'Amount',
    campaign: 'Campaign',
    action: 'Action',
    balance: 'Balance',
    date: 'Date',
  },
  actions: {
    credit_add: 'Credit added',
    credit_remove: 'Credit removed',
    campaign_deduction: 'Campaign deduction',
    campaign_margin: 'Campaign margin',
    sms_refund: 'SMS refund',
  },
  campaign: 'Campaign',
  subtitle: 'Rupees; what a campaign cost is summed per day',
  empty: 'No credits have been moved and no campaign has cost anything yet.',
}
