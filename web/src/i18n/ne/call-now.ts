import type { TextsOf } from '../areas.ts'
import { dispositionNames } from './call-words.ts'

export const texts: TextsOf<'callNow'> = {
  title: 'अहिले कल',
  now: {
    waiting: () => 'कल सुरु हुन लाग्यो',
    agentRinging: ({ agent }) => `${agent} मा घण्टी बज्दै छ`,
    customerRinging: ({ customer }) => `${customer} मा घण्टी बज्दै छ`,
    talking: ({ agent, customer }) => `${agent} र ${customer} कुरा गर्दै छन्`,
  },
  steps: {
    agentRinging: ({ agent }) => `पहिले ${agent} मा कल जान्छ`,
    customerRinging: ({ customer }) => `ग्राहकलाई कल जान्छ, ${customer}`,
    talking: () => 'दुवै जोडिन्छन् र रेकर्ड हुन्छ',
  },
  ended: { talked: 'कल सकियो', not: 'ग्राहकसँग सम्पर्क भएन' },
  hangUp: 'कल काट्नुहोस्',
  close: 'बन्द गर्नुहोस्',
  customer: 'ग्राहकको नम्बर',
  agent: 'एजेन्टको नम्बर',
  result: 'नतिजा',
  lasted: 'ग्राहकसँगको कुराकानी',
  seconds: (seconds) => `${seconds} सेकेन्ड`,
  cost: 'शुल्क (रु)',
  dispositions: dispositionNames,
}
