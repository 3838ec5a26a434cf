import { expect, test } from 'vitest'
import { beside } from '@ghanti/contract/nepali/endings.ts'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'

test.each([
  { label: 'सम्पर्क फाइल', text: 'has more than 3 rows', said: 'सम्पर्क फाइलमा ३ भन्दा बढी पङ्क्ति छन्' },
  {
    label: 'खाता',
    text: 'has failed too often, try again in 5 s',
    said: 'खातामा धेरै पटक गलत लगइन भयो, ५ सेकेन्डपछि फेरि प्रयास गर्नुहोस्',
  },
  { label: 'सुरु समय', text: 'must look like 07:00', said: 'सुरु समयको ढाँचा 07:00 जस्तो हुनुपर्छ' },
  { label: 'कलर आईडी (CLI)', text: 'has letters', said: 'कलर आईडी (CLI) मा अक्षर छन्' },
  { label: 'मेनु १', text: 'has letters', said: 'मेनु १ मा अक्षर छन्' },
  { label: '“राम”', text: 'has letters', said: '“राम” मा अक्षर छन्' },
  { label: 'प्रकार', text: 'is not a category', said: 'प्रकार मान्य प्रकार होइन' },
  { label: 'मिति', text: 'is required', said: 'मिति आवश्यक छ' },
])('$label: $text', ({ label, text, said }) => {
  expect(beside(label, nepaliOf(text))).toBe(said)
})

test('within a sentence, too, an ending is joined to a Nepali name and separated from a Latin one', () => {
  expect(nepaliOf('राम has more than two decimals')).toBe('राममा दशमलवपछि दुईभन्दा बढी अङ्क छन्')
  expect(nepaliOf('Amount has more than two decimals')).toBe('Amount मा दशमलवपछि दुईभन्दा बढी अङ्क छन्')
})
