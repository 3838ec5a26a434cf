import type { texts as english } from '../en/auth.ts'

export const texts: typeof english = {
  title: 'लगइन',
  username: 'प्रयोगकर्ता नाम',
  password: 'पासवर्ड',
  submit: 'लगइन',
  account: 'खाता',
  ended: 'तपाईं लगआउट हुनुभयो। कृपया फेरि लगइन गर्नुहोस्।',
  tryAgainIn: (time) => `धेरै पटक प्रयास भयो। ${time}पछि फेरि प्रयास गर्नुहोस्।`,
  seconds: (count) => `${count} सेकेन्ड`,
  minutes: (count) => `${count} मिनेट`,
  resetLink: 'पासवर्ड बिर्सनुभयो?',
  resetTitle: 'पासवर्ड रिसेट',
  resetHint: 'खाताको इमेलमा लिङ्क पठाउँछौँ। त्यो ३० मिनेट चल्छ।',
  submitReset: 'पठाउनुहोस्',
  demoMail: 'नमुनाले इमेल पठाउँदैन:',
  mailbox: 'यसको मेलबक्समा पढ्नुहोस्',
  toLogin: 'लगइनमा फर्कने',
  updateTitle: 'पासवर्ड बदल्ने',
  confirm: 'पासवर्ड फेरि लेख्नुहोस्',
  submitUpdate: 'बदल्नुहोस्',
  theLink: 'यो लिङ्क',
  newLink: 'नयाँ लिङ्क माग्ने',
  demo: {
    title: 'नमुना खाता: एउटा छान्दा फारम भरिन्छ',
    password: (password) => `सबैको पासवर्ड: ${password}`,
  },
}
