import type { texts as english } from '../en/dashboard.ts'

export const texts: typeof english = {
  title: 'ड्यासबोर्ड',
  greetings: {
    morning: (name) => `शुभ प्रभात, ${name}`,
    afternoon: (name) => `शुभ दिन, ${name}`,
    evening: (name) => `शुभ सन्ध्या, ${name}`,
  },
  overview: 'एक नजरमा',
  totalVoiceCampaigns: 'कुल भ्वाइस अभियान',
  totalCalls: 'कुल कल',
  connectedCalls: 'उठेका कल',
  ofCampaigns: 'अभियानका; “अहिले कल” र टेस्ट कलबाहेक',
  balanceAvailable: 'उपलब्ध ब्यालेन्स (रु)',
  totalResellers: 'कुल रिसेलर',
  totalEndUsers: 'कुल अन्तिम प्रयोगकर्ता',
  creditsAvailable: 'उपलब्ध क्रेडिट',
  runningCampaigns: 'चलिरहेका अभियान',
  username: 'प्रयोगकर्ता नाम',
}
