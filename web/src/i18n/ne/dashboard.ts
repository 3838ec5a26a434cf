import type { texts as english } from '../en/dashboard.ts'

export const texts: typeof english = {
  title: 'ड्यासबोर्ड',
  overview: 'झलक',
  totalVoiceCampaigns: 'जम्मा भ्वाइस अभियान',
  totalCalls: 'जम्मा कल',
  connectedCalls: 'उठेका कल',
  balanceAvailable: 'उपलब्ध मौज्दात (रु)',
  totalResellers: 'जम्मा पुनर्विक्रेता',
  totalEndUsers: 'जम्मा प्रयोगकर्ता',
  creditsAvailable: 'उपलब्ध क्रेडिट',
  runningCampaigns: 'चलिरहेका अभियान',
  username: 'प्रयोगकर्ता नाम',
  noneRunning: 'अहिले कुनै अभियान चलिरहेको छैन।',
  compose: 'भ्वाइस अभियान बनाउनुहोस्',
  first: {
    title: 'पहिलो अभियानका तीन चरण:',
    upload: 'भ्वाइस फाइल अपलोड गर्नुहोस्',
    approval: 'स्वीकृत नहुन्जेल पर्खनुहोस्',
    compose: 'अभियान बनाउनुहोस्',
  },
}
