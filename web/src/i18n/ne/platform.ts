import type { texts as english } from '../en/platform.ts'

export const texts: typeof english = {
  title: 'कल र सन्देश रोक्ने',
  subtitle: 'एक सेकेन्डभित्र लागू हुन्छ। अभियानको अवस्था उही रहन्छ र रोक हटाएपछि फेरि चल्छन्।',
  stopPlatform: 'कल वा सन्देश रोक्नुहोस्',
  what: 'के रोक्ने',
  kinds: {
    platform: 'पूरै प्लेटफर्म',
    dialer: 'एउटा डायलर',
    trunk: 'एउटा ट्रङ्क',
    account: 'एउटा खाता र त्यसका मातहतका सबै',
    gateway: 'सन्देशको एउटा गेटवे',
  },
  target: 'कुन चाहिँ',
  stopped: 'कल वा सन्देश',
  stoppable: { calls: 'कल', messages: 'सन्देश', all: 'कल र सन्देश' },
  reason: 'कारण',
  reasonHint: 'जसका अभियान रोकिन्छन्, उहाँहरू सबैलाई देखाइन्छ।',
  submit: 'रोक्नुहोस्',
  question: {
    calls: (target) => `डायल रोक्ने हो: ${target}?`,
    messages: (target) => `सन्देश पठाउन रोक्ने हो: ${target}?`,
    all: (target) => `डायल र सन्देश दुवै रोक्ने हो: ${target}?`,
  },
  effect: {
    counting: 'के-के रोकिन्छ, गनिँदै छ…',
    stops: (running, toBegin, calls) => `यसले चलिरहेका ${running} र सुरु हुन बाँकी ${toBegin} अभियान रोक्छ: ${calls} कल हुँदैनन्।`,
    underWay: (calls) => `चलिरहेका ${calls} कल आफैँ सकिन्छन्।`,
    stopsMessages: (running, toBegin, messages) =>
      `यसले चलिरहेका ${running} र सुरु हुन बाँकी ${toBegin} SMS अभियान रोक्छ: ${messages} सन्देश पठाइँदैनन्।`,
    messagesUnderWay: (messages) => `${messages} सन्देश गेटवेमा पुगिसकेका छन्, ती अझै पुग्न सक्छन्।`,
    otherGateways: 'सन्देश आफ्नो मार्गका अरू गेटवेबाट जान्छन्; अर्को नभएका पर्खन्छन्।',
    failed: (why) => `के-के रोकिन्छ भनी गन्न सकिएन: ${why}`,
  },
  stopFailed: 'रोक्न सकिएन',
  open: 'अहिले रोकिएका',
  columns: {
    target: 'के रोकियो',
    kind: 'प्रकार',
    what: 'कल वा सन्देश',
    reason: 'कारण',
    by: 'कसले रोक्यो',
    since: 'कहिलेदेखि',
    action: 'कार्य',
  },
  lift: { calls: 'डायलको रोक हटाउनुहोस्', messages: 'सन्देशको रोक हटाउनुहोस्', all: 'दुवैको रोक हटाउनुहोस्' },
  liftQuestion: {
    calls: 'रोक हटाएर फेरि डायल गर्ने हो?',
    messages: 'रोक हटाएर फेरि सन्देश पठाउने हो?',
    all: 'रोक हटाएर फेरि डायल गर्ने र सन्देश पठाउने हो?',
  },
  liftFailed: 'रोक हटाउन सकिएन',
}
