import type { texts as english } from '../en/login.ts'

export const texts: typeof english = {
  title: 'लगइन',
  username: 'प्रयोगकर्ता नाम',
  password: 'पासवर्ड',
  submit: 'लगइन',
  ended: 'तपाईं लगआउट हुनुभयो। कृपया फेरि लगइन गर्नुहोस्।',
  tryAgainIn: (time) => `धेरै पटक प्रयास भयो। ${time}पछि फेरि प्रयास गर्नुहोस्।`,
  seconds: (count) => `${count} सेकेन्ड`,
  minutes: (count) => `${count} मिनेट`,
  showPassword: 'पासवर्ड देखाउने वा लुकाउने',
  demo: {
    title: 'नमुना खाता: एउटा छान्दा फारम भरिन्छ',
    password: (password) => `सबैको पासवर्ड: ${password}`,
  },
}
