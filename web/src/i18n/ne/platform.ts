import type { texts as english } from '../en/platform.ts'

export const texts: typeof english = {
  title: 'सबै डायल रोक्ने',
  subtitle: 'एक सेकेन्डभित्र लागू हुन्छ। अभियानको अवस्था उही रहन्छ र हटाएपछि फेरि चल्छ।',
  stopPlatform: 'सबै डायल रोक्नुहोस्',
  what: 'के रोक्ने',
  kinds: { platform: 'पूरै प्लेटफर्म', dialer: 'एउटा डायलर', trunk: 'एउटा ट्रङ्क', account: 'एउटा खाता र त्यसमुनिका सबै' },
  target: 'कुन चाहिँ',
  reason: 'कारण',
  reasonHint: 'जसका अभियान पर्खिन्छन्, ती सबैलाई देखाइन्छ।',
  submit: 'डायल रोक्नुहोस्',
  question: (target) => `डायल रोक्ने निश्चित हो: ${target}?`,
  effect: {
    counting: 'के-के रोकिन्छ, गनिँदै छ…',
    stops: (running, toBegin, calls) => `यसले चलिरहेका ${running} र सुरु हुन बाँकी ${toBegin} अभियान रोक्छ: ${calls} कल हुँदैनन्।`,
    underWay: (calls) => `चलिरहेका ${calls} कल आफैँ सकिन्छन्।`,
    failed: (why) => `के-के रोकिन्छ भनी गन्न सकिएन: ${why}`,
  },
  stopFailed: 'डायल रोकिएन',
  open: 'अहिले रोकिएका',
  none: 'केही रोकिएको छैन। अभियानहरू चलिरहेका छन्।',
  columns: { target: 'के', kind: 'प्रकार', reason: 'कारण', by: 'रोक्ने', since: 'कहिलेदेखि', action: 'कार्य' },
  lift: 'डायल गर्न दिनुहोस्',
  liftQuestion: 'फेरि डायल गर्न दिने निश्चित हो?',
  liftFailed: 'डायल अझै रोकिएको छ',
}
