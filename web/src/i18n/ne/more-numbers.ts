import type { texts as english } from '../en/more-numbers.ts'

const left = { calls: 'त्यसमा कल जाँदैन', messages: 'त्यसमा सन्देश जाँदैन', list: 'त्यो थपिएन' }

export const texts: typeof english = {
  inColumn: (rows, column, of) => `${rows} पङ्क्तिको “${column}” स्तम्भमा दोस्रो नम्बर छ: ${left[of]}।`,
  inCell: (rows, of) => `${rows} पङ्क्तिमा पहिलो नम्बरपछि दोस्रो नम्बर छ: ${left[of]}।`,
  above: (lines, of) => `स्तम्भका नामभन्दा माथि ${lines} लाइनमा नम्बर छ: ${left[of]}।`,
  sheet: (name) => `“${name}” सिटमा पनि नम्बर छन्, तर त्यो पढिएन: छुट्टै अपलोड गर्नुहोस्।`,
  hiddenSheet: (name) => `लुकाइएको “${name}” सिटमा नम्बर छन्, तर त्यो पढिएन: अपलोड गर्न एक्सेलमा देखिने बनाउनुहोस्।`,
}
