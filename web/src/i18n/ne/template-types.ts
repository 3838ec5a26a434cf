import type { templateTypes as english } from '../en/template-types.ts'

export const templateTypes: typeof english = {
  0: 'साधारण IVR',
  1: 'DTMF',
  2: 'एजेन्टसँग जोड्ने',
  3: 'सर्भिसिङको समय',
  4: 'टेस्ट ड्राइभपछि',
  5: 'सर्भिसिङ रिमाइन्डर',
  6: 'प्रिमियम रिमाइन्डर',
  7: 'सेवा रिमाइन्डर',
  8: 'कन्सल्टेन्सी',
}
