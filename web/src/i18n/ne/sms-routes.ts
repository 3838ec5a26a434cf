import type { texts as english } from '../en/sms-routes.ts'
import { operatorNames } from './operator-names.ts'

export const texts: typeof english = {
  operators: operatorNames,
  title: 'सन्देशका बाटा',
  subtitle:
    'कुन सेन्डर आईडीका सन्देश कुन अपरेटरमा कुन गेटवेबाट जान्छन्। सन्देश आफ्नो सेन्डर आईडीको बाटो लिन्छ, नभए अरू सबै सेन्डर आईडीको। मिल्ने बाटो नभए सन्देश पर्खन्छन्, र अभियानमा त्यो देखिन्छ।',
  uncovered: (operators) =>
    `अरू सबै सेन्डर आईडीको बाटो यहाँ पुग्दैन: ${operators}। सेन्डर आईडीको आफ्नै बाटो नभए त्यहाँका सन्देश पर्खन्छन्।`,
  create: 'बाटो थप्नुहोस्',
  update: 'बाटो बदल्नुहोस्',
  columns: { operators: 'अपरेटर', sender: 'सेन्डर आईडी', steps: 'क्रमअनुसार गेटवे', action: 'कार्य' },
  others: 'अरू सबै',
  nameOf: (operators, sender) => `${operators} · ${sender}`,
  step: (order, gateway) => `${order}. ${gateway}`,
  weight: (weight) => `भार ${weight}`,
  states: { works: 'चल्छ', away: 'जोडिएको छैन', disabled: 'निष्क्रिय', unknown: 'इन्जिन छैन' },
  actions: { update: 'बदल्नुहोस्', delete: 'मेटाउनुहोस्' },
  deleteQuestion: 'यो बाटो मेटाउने हो? अर्को बाटो नभएका सन्देश बाटो नबनेसम्म पर्खन्छन्।',
  deleteFailed: 'बाटो मेटाउन सकिएन',
  labels: { routeId: 'यो बाटो' },
  created: 'बाटो थपियो। अबका सन्देशबाट लागू हुन्छ।',
  updated: 'बाटो बदलियो। अबका सन्देशबाट लागू हुन्छ।',
  cancel: 'रद्द गर्नुहोस्',
  fields: {
    operators: 'अपरेटर',
    cliName: 'सेन्डर आईडी',
    steps: 'गेटवेहरू',
    gatewayId: 'गेटवे',
    priority: 'क्रम',
    weight: 'भार',
  },
  senderHint: 'खाली छोडे आफ्नै बाटो नभएका सबै सेन्डर आईडीका लागि हुन्छ।',
  stepsHint:
    'क्रम १ देखि १०: चल्ने गेटवेमध्ये सबैभन्दा सानो क्रमकाले १ देखि १०० सम्मको भारअनुसार सन्देश बाँड्छन्। तीमध्ये कुनै नचले अर्को क्रमले लिन्छ।',
  stepTitle: (number) => `गेटवे ${number}`,
  disabled: (gateway) => `${gateway} (निष्क्रिय)`,
  noGateway: 'अहिलेसम्म गेटवे छैन',
  add: 'गेटवे थप्नुहोस्',
  remove: (number) => `गेटवे ${number} हटाउनुहोस्`,
}
