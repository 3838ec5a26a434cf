import type { GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
import { useMemo } from 'react'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './GatewayReceipts.module.css'

type Sample = GatewayDetail['receipts']['samples'][number] & { n: number }

const columnsOf = (t: TextsOf<'gatewayForms'>['receipts']): FewColumn<Sample>[] => [
  { key: 'time', header: t.time, cell: ({ time }) => <NepalTime wire={time} relative /> },
  {
    key: 'text',
    header: t.text,
    cell: ({ text }) => (
      <code className={classes.sample} translate="no">
        {text === '' ? t.empty : text}
      </code>
    ),
  },
]

/** What became of a gateway's receipts, and the last ones that nobody understood. */
export default function GatewayReceipts({ receipts }: { receipts: GatewayDetail['receipts'] }) {
  const { receipts: t } = useTexts('gatewayForms')
  const format = useFormat()
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <section className={classes.part} aria-labelledby="gateway-receipts">
      <h2 id="gateway-receipts">{t.title}</h2>
      <dl className={classes.counts}>
        {(['applied', 'repeated', 'unmatched', 'notUnderstood'] as const).map((key) => (
          <div key={key}>
            <dt>{t.counts[key]}</dt>
            <dd>{format.count(receipts[key])}</dd>
          </div>
        ))}
      </dl>
      {receipts.samples.length > 0 && (
        <>
          <p id="gateway-samples" className={classes.hint}>
            {t.samples}
          </p>
          <FewRows
            labelledBy="gateway-samples"
            columns={columns}
            rowId={({ n }) => n}
            rows={receipts.samples.map((sample, n) => ({ ...sample, n }))}
          />
        </>
      )}
    </section>
  )
}
