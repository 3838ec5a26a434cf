import type { TextsOf } from '../areas.ts'

export const texts: TextsOf<'editCampaign'> = {
  title: (name) => `“${name}” बदल्ने`,
  kept: {
    calls: 'सम्पर्क, टेम्प्लेट, भ्वाइस फाइल र मूल्य बनाएकै बेलाका रहन्छन्। ती बदल्न अभियान बन्द गरी यसको प्रतिलिपि बनाउनुहोस्।',
    messages: 'सम्पर्क, सन्देश, सेन्डर आईडी र मूल्य बनाएकै बेलाका रहन्छन्। ती बदल्न अभियान बन्द गरी यसको प्रतिलिपि बनाउनुहोस्।',
  },
  save: 'सेभ गर्नुहोस्',
  cancel: 'रद्द गर्नुहोस्',
  done: (name, time) => `“${name}” बदलियो। यो ${time} मा सुरु हुन्छ।`,
  fields: {
    campaignId: 'अभियान',
    cli: 'कलर आईडी (CLI)',
    welcomePId: 'स्वागत फाइल',
    menuPId: 'मेनु फाइल',
    noInputPId: 'बटन नथिच्दाको फाइल',
    wrongInputPId: 'गलत बटनको फाइल',
    thanksPId: 'धन्यवाद फाइल',
    prompts: 'भ्वाइस फाइल',
    smsText: 'SMS को सन्देश',
    notAfter: 'अन्त्य समय',
  },
}
