import type { texts as english } from '../en/go-to.ts'

export const texts: typeof english = {
  groups: {
    recent: 'भर्खरैका',
    screens: 'पृष्ठ',
    actions: 'कार्य',
    campaigns: 'अभियान',
    smsCampaigns: 'SMS अभियान',
    users: 'प्रयोगकर्ता',
    clis: 'CLI',
    number: 'नम्बर',
  },
  toasts: {
    title: 'यसपटक गरिएका काम',
    none: 'अहिलेसम्म केही छैन। तपाईंले गरेका काम यहाँ देखिन्छन्, र मिल्नेलाई पहिलेजस्तै बनाउन सकिन्छ।',
    undo: 'पहिलेजस्तै बनाउनुहोस्',
    undone: 'पहिलेजस्तै बनाइयो।',
  },
  asking: 'खोजिँदै…',
  callsTo: (number) => `${number} मा गएका सबै कल`,
  archived: (day) => `${day} सम्मका अभिलेखमा सारिएका कल खोजिँदैनन्`,
  called: (name, calls) => `${name} मा कल: ${calls}`,
  addRecharge: 'रिचार्ज थप्नुहोस्',
  isBlacklisted: (number) => `${number} ब्ल्याकलिस्टमा छ?`,
  paths: {
    '/create-dialer': 'डायलर थप्ने',
    '/create-trunk': 'ट्रङ्क थप्ने',
    '/upload-cli': 'कलर आईडी फाइल अपलोड',
    '/user-profile': 'प्रोफाइल',
  },
  keys: {
    title: 'किबोर्डका सर्टकट',
    hint: 'फिल्डमा लेखिरहँदा यिनले काम गर्दैनन्।',
    enabled: 'एक अक्षरका सर्टकट चालु',
    find: 'पृष्ठ, अभियान, प्रयोगकर्ता वा कार्य खोज्ने',
    search: 'यो सूचीमा खोज्ने',
    add: 'यो सूचीमा नयाँ थप्ने',
    undo: 'भर्खरै गरेको काम पहिलेजस्तै बनाउने',
    show: 'यी सर्टकट देखाउने',
    followedBy: 'त्यसपछि',
    goTo: 'पृष्ठमा जाने',
  },
}
