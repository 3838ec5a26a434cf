import { useSession } from '../api/session.ts'
import { texts as en } from '../i18n/en/demo.ts'
import { useFormat } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { texts as ne } from '../i18n/ne/demo.ts'

/** Both languages are in this file, which only a demo loads. */
const texts = { en, ne }

export default function DemoNote() {
  const t = texts[useLanguage()]
  const format = useFormat()
  const { simulatorSpeed, virtualOperator } = useSession()
  return (
    <>
      {virtualOperator ? t.virtualOperator : t.simulator(format.count(simulatorSpeed ?? 1))}{' '}
      <span>{virtualOperator ? t.virtualOperatorMore : t.simulatorMore}</span>
    </>
  )
}
