import type { texts as english } from '../en/contact-files.ts'

export const texts: typeof english = {
  title: 'सम्पर्क फाइलहरू',
  subtitle: 'कसैले प्रयोग नगरेका फाइल आफैँ हट्छन्; कहिले भन्ने प्रत्येकमा लेखिएको छ। फाइलबाट अभियान बनाएपछि त्यो रहिरहन्छ।',
  columns: {
    name: 'नाम',
    rows: 'पङ्क्ति',
    dialable: 'कल गर्न मिल्ने',
    size: 'आकार',
    uploaded: 'अपलोड मिति',
    keptUntil: 'यहाँसम्म रहन्छ',
    action: 'कार्य',
  },
  megabytes: (count) => `${count} एमबी`,
  needed: 'अभियानलाई चाहिएको छ',
  use: 'प्रयोग',
  uses: { used: 'अभियानलाई चाहिएको', unused: 'कसैलाई नचाहिएको' },
  soon: 'छिट्टै हट्छ',
  empty: 'कुनै सम्पर्क फाइल छैन।',
  compose: 'अभियान बनाउनुहोस्',
  actions: { rename: 'नाम बदल्नुहोस्', delete: 'मेटाउनुहोस्' },
  deleteManyQuestion: (count) =>
    `यी ${count} सम्पर्क फाइल मेटाउने हो? अभियानले यिनबाट बनाएका पङ्क्ति रहन्छन्; अस्वीकार भएका लाइनका सूची हट्छन्।`,
  deleteQuestion: 'यो सम्पर्क फाइल मेटाउने हो? अभियानले यसबाट बनाएका पङ्क्ति रहन्छन्; यसले अस्वीकार गरेका लाइनको सूची हट्छ।',
  deleteFailed: 'सम्पर्क फाइल मेटिएन',
  renameTitle: (name) => `${name} को नाम बदल्नुहोस्`,
  renamed: (name) => `फाइलको नाम अब ${name} हो।`,
  save: 'नाम बदल्नुहोस्',
  cancel: 'रद्द',
  fields: { baseName: 'नाम', baseId: 'सम्पर्क फाइल' },
}
