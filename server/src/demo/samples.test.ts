import { expect, test } from 'vitest'
import { scriptOf } from '../drivers/telephony/simulator/numbers.ts'
import { sampleFile } from '../modules/contacts/rules-samples.ts'

test.each(['contacts', 'consultancy', 'auto1', 'auto2', 'auto3', 'insurance1', 'service_reminder1'])(
  'the numbers of the sample %s answer',
  (name) => {
    const numbers = (sampleFile(`sample_${name}.csv`) ?? '').match(/98\d{8}/g) ?? []
    expect(numbers).toHaveLength(2)
    for (const number of numbers) expect(scriptOf(number, null, () => 0.5).map(({ type }) => type)).toContain('answer')
  },
)
