import type { texts as english } from '../en/call-routes.ts'

export const texts: typeof english = {
  title: 'कलका बाटा',
  subtitle:
    'कलर आईडीका कल बाँड्ने वा एकअर्काको सट्टा चल्ने ट्रङ्क। कलर आईडीलाई बाटो कलर आईडी सूचीमा दिइन्छ; नदिए त्यसका कल आफ्नै ट्रङ्कबाट मात्र जान्छन्।',
  create: 'बाटो थप्नुहोस्',
  update: 'सेभ गर्नुहोस्',
  columns: {
    routeName: 'बाटोको नाम',
    dialer: 'डायलर',
    steps: 'क्रमअनुसार ट्रङ्क',
    cliCount: 'कलर आईडी',
    action: 'कार्य',
  },
  step: (order, trunk) => `${order}. ${trunk}`,
  weight: (weight) => `भार ${weight}`,
  cost: (paisa) => `मिनेटको ${paisa} पैसा`,
  states: { works: 'चल्छ', fails: 'चल्दैन', unknown: 'इन्जिन छैन' },
  actions: { update: 'बदल्नुहोस्', delete: 'मेटाउनुहोस्' },
  inUse: (count) => `यो बाटो चलाउने कलर आईडी: ${count}। पहिले तिनलाई अर्को बाटो दिनुहोस्।`,
  deleteQuestion: 'यो बाटो मेटाउने हो?',
  deleteFailed: 'बाटो मेटाउन सकिएन',
  labels: { routeId: 'यो बाटो' },
  created: 'बाटो थपियो। कलर आईडी सूचीमा कलर आईडीलाई दिनुहोस्।',
  updated: 'बाटो बदलियो। अब सुरु हुने कलमा लागू हुन्छ।',
  cancel: 'रद्द गर्नुहोस्',
  fields: {
    routeName: 'बाटोको नाम',
    steps: 'ट्रङ्कहरू',
    trunkId: 'ट्रङ्क',
    priority: 'क्रम',
    weight: 'भार',
    cost: 'लागत',
  },
  stepsHint:
    'क्रम १ देखि १०: सबैभन्दा सानो क्रमका सबैभन्दा सस्ता ट्रङ्कले १ देखि १०० सम्मको भारअनुसार कल बाँड्छन्। ती कुनै नचले वा च्यानल खाली नभए अर्का ट्रङ्कले लिन्छन्। लागत प्रति मिनेट पैसामा लेख्नुहोस्। सबै ट्रङ्क एउटै डायलरका हुन्छन्।',
  stepTitle: (number) => `ट्रङ्क ${number}`,
  trunkOf: (trunk, dialer) => `${trunk} (${dialer})`,
  noTrunk: 'अहिलेसम्म ट्रङ्क छैन',
  add: 'ट्रङ्क थप्नुहोस्',
  remove: (number) => `ट्रङ्क ${number} हटाउनुहोस्`,
}
