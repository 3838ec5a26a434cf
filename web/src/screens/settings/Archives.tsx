import { retentionRoutes } from '@ghanti/contract/retention.ts'
import { useQuery } from '@tanstack/react-query'
import { fileAddress } from '../../api/client.ts'
import { jsonQuery } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Settings.module.css'

const bytesOfMegabyte = 1_000_000

export default function Archives() {
  const { archives: t } = useTexts('settings')
  const format = useFormat()
  const list = useQuery({ ...jsonQuery(retentionRoutes.archives, {}), staleTime: 0 })
  const { columns } = t
  return (
    <section aria-labelledby="archives">
      <h2 id="archives" className={layout.heading ?? ''}>
        {t.title}
      </h2>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {!list.error && !list.data && <div aria-busy />}
      {list.data?.length === 0 && <p className={classes.note}>{t.none}</p>}
      {list.data && list.data.length > 0 && (
        <div className={classes.wide} role="region" aria-labelledby="archives" tabIndex={0}>
          <table className={classes.archives}>
            <thead>
              <tr>
                {[columns.what, columns.between, columns.rows, columns.size, columns.sum, columns.made].map(
                  (heading) => (
                    <th key={heading} scope="col">
                      {heading}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {list.data.map((row) => (
                <tr key={row.archiveId}>
                  <td>
                    <a
                      href={fileAddress(retentionRoutes.archive, { archiveId: row.archiveId })}
                      aria-label={t.download(t.kinds[row.kind], format.moment(row.from.slice(0, 10)))}
                    >
                      {t.kinds[row.kind]}
                    </a>
                  </td>
                  <td>
                    {format.moment(row.from.slice(0, 10))} – {format.moment(row.to.slice(0, 10))}
                  </td>
                  <td>{format.count(row.rows)}</td>
                  <td>{format.count(Math.ceil(row.bytes / bytesOfMegabyte))}</td>
                  <td>
                    <code title={row.sha256}>{row.sha256.slice(0, 12)}…</code>
                  </td>
                  <td>
                    <NepalTime wire={row.madeAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
