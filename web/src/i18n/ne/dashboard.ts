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
  trend: {
    title: 'पछिल्ला ७ दिनका अभियान',
    hint: 'आज र त्यसअघिका छ दिनमा सुरु भएका अभियान, अघिल्लो हप्ताको यही समयसम्मकासँग तुलना गरिएको।',
    campaigns: 'अभियान',
    calls: 'कल',
    connected: 'उठेका कल',
    spent: 'लागेको शुल्क (रु)',
    charged: 'प्रयोगकर्ताले तिरेको (रु)',
    share: (percent) => `${percent} %`,
    same: 'पहिले जति नै',
    fromNone: 'पहिले थिएन',
    percent: {
      more: (by) => `पहिलेभन्दा ${by} % बढी`,
      less: (by) => `पहिलेभन्दा ${by} % कम`,
    },
    points: {
      more: (by) => `पहिलेभन्दा ${by} अङ्क बढी`,
      less: (by) => `पहिलेभन्दा ${by} अङ्क कम`,
    },
    perDay: (figure, first, last, values) => `${figure}, ${first} देखि ${last} सम्म हरेक दिन: ${values}`,
  },
  first: {
    title: 'पहिलो अभियानका तीन चरण:',
    upload: 'भ्वाइस फाइल अपलोड गर्नुहोस्',
    approval: 'स्वीकृत नहुन्जेल पर्खनुहोस्',
    compose: 'अभियान बनाउनुहोस्',
  },
}
