import type { texts as english } from '../en/passwords.ts'

export const texts: typeof english = {
  strength: 'पासवर्डको बल',
  short: 'धेरै छोटो: कम्तीमा ८ अक्षर चाहिन्छ',
  guessable: 'सजिलै अनुमान गर्न सकिने: आपसमा सम्बन्ध नभएका धेरै शब्द प्रयोग गर्नुहोस्',
  names: 'अरूलाई थाहा भएका नामबाट बनेको',
  fair: 'ठीकै',
  good: 'राम्रो',
  strong: 'बलियो',
}
