import type { TextsOf } from '../areas.ts'
import { templateTypes } from './template-types.ts'

export const texts: TextsOf<'setups'> = {
  title: 'सेटअप',
  subtitle: 'बारम्बार बनाउने अभियान, सम्पर्कबाहेक। “प्रयोग गर्नुहोस्” ले फारम त्यसैबाट खोल्छ।',
  types: templateTypes,
  columns: {
    name: 'सेटअप',
    template: 'अभियानको प्रकार',
    cli: 'कलर आईडी',
    contacts: 'सम्पर्क फाइल',
    changed: 'बदलिएको समय',
    action: 'कार्य',
  },
  actions: { use: 'प्रयोग गर्नुहोस्', rename: 'नाम बदल्नुहोस्…', delete: 'मेटाउनुहोस्' },
  use: (name) => `“${name}” प्रयोग गर्नुहोस्`,
  deleteQuestion: 'यो सेटअप मेटाउने हो? यसबाट बनेका अभियान रहिरहन्छन्।',
  deleteFailed: 'सेटअप मेटाउन सकिएन',
  renameTitle: (name) => `“${name}” को नाम बदल्ने`,
  renamed: (name) => `सेटअपको नाम अब “${name}” भयो।`,
  save: {
    title: 'सेटअपका रूपमा सेभ गर्ने',
    hint: 'नाम, समय र सम्पर्क राखिँदैनन्। कलपछिको SMS का ठेगानामा पासवर्ड हुने भएकाले ती पनि राखिँदैनन्।',
    withItsContacts: 'यसको सम्पर्क फाइलसहित, सेभ गरिएको भए',
    submit: 'सेभ गर्नुहोस्',
    cancel: 'रद्द गर्नुहोस्',
    saved: (name) => `सेटअप “${name}” सेभ भयो।`,
  },
  fields: { setupName: 'सेटअपको नाम', setupId: 'सेटअप', campaignId: 'अभियान' },
  opened: (name) => `सेटअप “${name}” बाट`,
  openedHint: 'कसलाई कल गर्ने छान्नुहोस् र पठाउनुहोस्।',
  openedBare: 'यसमा नभएका कुरा भर्नुहोस्, कसलाई कल गर्ने छान्नुहोस् र पठाउनुहोस्।',
  gone: (names) => `सेभ गरेपछि यी हटेका छन्: ${names.join(', ')}।`,
  unread: (reasons) => `अब पढ्न नसकिने भएकाले छोडिएको: ${reasons.join('; ')}।`,
  goneOnes: {
    voiceFile: (name) => `भ्वाइस फाइल “${name}”`,
    cli: (cli) => `कलर आईडी ${cli}`,
    contacts: (name) => `सम्पर्क फाइल “${name}”`,
  },
}
