import type { texts as english } from '../en/contracts.ts'

export const texts: typeof english = {
  title: 'अपरेटरका सम्झौता',
  subtitle: 'अपरेटरले धेरै ट्रङ्कलाई एकसाथ बेचेको सीमा: एकैपटकका कल र सेकेन्डका कल। तिनका डायलरले अहिले चाहिएअनुसार बाँड्छन्।',
  create: 'सम्झौता थप्नुहोस्',
  update: 'सेभ गर्नुहोस्',
  columns: {
    contractName: 'सम्झौताको नाम',
    channels: 'च्यानल',
    cps: 'CPS',
    dialers: 'डायलरअनुसार प्रयोग',
    trunks: 'ट्रङ्क',
    action: 'कार्य',
  },
  trunkOf: (trunk, dialer) => `${trunk} (${dialer})`,
  part: (channels, granted, calls, cps) => `आफ्ना ${granted} च्यानलमध्ये ${channels}, सेकेन्डका ${cps} कलमध्ये ${calls}`,
  idle: 'अहिले प्रयोगमा छैन',
  noTrunks: 'कुनै ट्रङ्क यसमा छैन',
  actions: { update: 'बदल्नुहोस्', delete: 'मेटाउनुहोस्' },
  inUse: (count) => `यसमा भएका ट्रङ्क: ${count}। पहिले तिनलाई हटाउनुहोस्।`,
  deleteQuestion: 'यो सम्झौता मेटाउने हो?',
  deleteFailed: 'सम्झौता मेटाउन सकिएन',
  labels: { contractId: 'यो सम्झौता' },
  created: 'सम्झौता थपियो। यसमा पर्ने हरेक ट्रङ्कको फारममा यो छान्नुहोस्।',
  updated: 'सम्झौता बदलियो। दुई सेकेन्डभित्र डायलरमा लागू हुन्छ; चलिरहेका कल चल्छन्।',
  cancel: 'रद्द गर्नुहोस्',
  fields: { contractName: 'सम्झौताको नाम', channels: 'च्यानल', cps: 'प्रति सेकेन्ड कल' },
  hints: {
    channels: 'सबै ट्रङ्कमा गरी एकैपटकका कल, एजेन्टका कल र टेस्ट कलसमेत।',
    cps: 'सबै ट्रङ्कमा गरी एक सेकेन्डका नयाँ कल, एजेन्टका कल र टेस्ट कलसमेत।',
  },
}
