import type { texts as english } from '../en/cli-groups.ts'

export const texts: typeof english = {
  groupName: 'समूहको नाम',
  submit: 'सेभ गर्नुहोस्',
  created: 'समूह बन्यो। कलर आईडीजस्तै बाँड्नुहोस्।',
  done: 'समूह सेभ भयो। अब सुरु हुने कलमा यसैका कलर आईडी देखिन्छन्।',
  failed: 'समूह सेभ गर्न सकिएन',
  hint: 'हरेक कलमा यीमध्ये एउटा देखिन्छ। समूहमा रहेसम्म एउटै नम्बरले उही कलर आईडी देख्छ।',
  trunkHint: 'यसका कल यही ट्रङ्कबाट जान्छन्, वा समूहका लागि छानिएको बाटोबाट।',
  members: 'समूहका कलर आईडी',
  member: (number) => `कलर आईडी ${number}`,
  weight: 'भार',
  add: 'कलर आईडी थप्नुहोस्',
  remove: (number) => `कलर आईडी ${number} हटाउनुहोस्`,
}
