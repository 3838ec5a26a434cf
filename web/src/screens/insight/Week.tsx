import { Scroll } from '../../components/table/Scroll.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { CsvLink } from './CsvLink.tsx'
import classes from './Insight.module.css'

type WeekProps = { title: string; week: readonly (readonly number[])[]; csvHref: string }

export function Week({ title, week, csvHref }: WeekProps) {
  const t = useTexts('insight')
  const format = useFormat()
  const most = Math.max(1, ...week.flat())
  return (
    <section className={classes.part} aria-labelledby="insight-week">
      <div className={classes.head}>
        <h2 id="insight-week">{title}</h2>
        <CsvLink href={csvHref} of={title} />
      </div>
      <Scroll className={classes.scroll}>
        <table className={classes.week} aria-labelledby="insight-week">
          <thead>
            <tr>
              <th scope="col">{t.weekday}</th>
              {Array.from({ length: 24 }, (_, hour) => (
                <th key={hour} scope="col">
                  {format.digits(String(hour))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {week.map((hours, day) => (
              <tr key={t.weekdays[day]}>
                <th scope="row">{t.weekdays[day]}</th>
                {hours.map((count, hour) => (
                  <td key={hour} data-level={count === 0 ? 0 : Math.ceil((4 * count) / most)}>
                    {format.count(count)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}
