import type { texts as english } from '../en/developers.ts'

export const texts: typeof english = {
  title: 'डेभलपर',
  subtitle: 'तपाईँको आफ्नै सफ्टवेयरले सन्देश पठाउँछ, र त्यसको के भयो भन्ने खबर पाउँछ।',
  tabs: { keys: 'की', webhooks: 'वेबहुक' },
}
