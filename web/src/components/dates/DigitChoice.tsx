import { chooseDigits, digitScripts, useDigitScript } from '../../i18n/chosen-digits.ts'
import { useTexts } from '../../i18n/language.ts'
import { Segments } from '../form/Segments.tsx'

const signs = { devanagari: '०-९', latin: '0-9' }

export default function DigitChoice() {
  const t = useTexts('dates')
  const script = useDigitScript()
  return (
    <Segments
      label={t.digits}
      value={script}
      onChange={chooseDigits}
      data={digitScripts.map((value) => ({ value, label: signs[value] }))}
    />
  )
}
