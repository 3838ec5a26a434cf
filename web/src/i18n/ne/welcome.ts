import type { texts as english } from '../en/welcome.ts'

export const texts: typeof english = {
  title: (username) => `${username} ले अब लगइन गर्न सक्छ`,
  hint: 'यो खाता चलाउनेलाई पठाउनुहोस्। पासवर्ड फेरि देखिँदैन।',
  titleInvited: (emailid) => `${emailid} मा निमन्त्रणा जाँदै छ`,
  hintInvited:
    'त्यसको लिङ्क तीन दिन चल्छ; त्यसपछि लगइनको “पासवर्ड बिर्सनुभयो?” बाट अर्को लिङ्क आउँछ। यो सन्देश पनि पठाउनुहोस्: इमेलमा खाताको नाम हुँदैन।',
  text: 'स्वागत सन्देश',
  copy: 'स्वागत सन्देश कपी गर्नुहोस्',
  copied: 'कपी भयो।',
  notCopied: 'ब्राउजरले यहाँ कपी गर्न दिँदैन: सन्देश छानिएको छ, Ctrl+C ले कपी गर्नुहोस्।',
  close: 'बन्द गर्नुहोस्',
  greeting: (name) => `${name}, स्वागत छ। तपाईँको खाता तयार छ।`,
  address: (address) => `लगइन ठेगाना: ${address}`,
  username: (username) => `प्रयोगकर्ता नाम: ${username}`,
  password: (password) => `पासवर्ड: ${password}`,
  invited: (emailid) => `पासवर्ड: ${emailid} मा आएको लिङ्कबाट छान्नुहोस्`,
  credits: (rupees) => `क्रेडिट: रु ${rupees}`,
  cli: (cli) => `कल गर्दा देखिने नम्बर: ${cli}`,
}
