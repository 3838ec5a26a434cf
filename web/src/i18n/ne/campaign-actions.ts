import type { texts as english } from '../en/campaign-actions.ts'
import { texts as holds } from './holds.ts'

export const texts: typeof english = {
  holds,
  questions: {
    pause: 'यो अभियान पज गर्ने हो?',
    resume: 'यो अभियान फेरि सुरु गर्ने हो?',
    stop: 'यो अभियान बन्द गर्ने हो?',
    retry: 'यो अभियान पुनः डायल गर्ने हो?',
    generateReport: 'यो अभियानको रिपोर्ट बनाउने हो?',
  },
  questionsOfMany: {
    pause: (count) => `यी ${count} अभियान पज गर्ने हो?`,
    resume: (count) => `यी ${count} अभियान फेरि सुरु गर्ने हो?`,
    stop: (count) => `यी ${count} अभियान बन्द गर्ने हो?`,
  },
  retryInvalid: 'अमान्य नम्बरमा पनि कल गर्ने',
  retryOnlyInvalid: 'कल गर्न अरू कोही बाँकी छैन: पुनः डायल गर्दा यिनैलाई कल जान्छ।',
  retryInvalidHint: 'अपरेटरले नचिनेका, वा नचिनेको भनेका नम्बर। गल्ती नम्बरको होइन भने रोज्नुहोस्।',
  stopNow: 'उठेका कल पनि तुरुन्तै काट्ने',
  stopNowHint: 'नत्र ती कल अन्त्यसम्म चल्छन्। घण्टी बजिरहेका कल जसरी पनि रद्द हुन्छन्।',
  textsHints: {
    pause: 'यसका कलले ल्याइसकेका SMS जान्छन्: ती पनि रोक्न यसको SMS अभियान पनि पज गर्नुहोस्।',
    stop: 'यसको SMS अभियानका नपठाइएका SMS अब पठाइँदैनन्, र तिनको रोक्का रकम फिर्ता हुन्छ।',
    retry: 'बन्द गरिएको छैन भने यसको SMS अभियान नयाँ कलसँगै चल्छ। कुनै नम्बरलाई एउटै सन्देश दोस्रो पटक जाँदैन।',
  },
}
