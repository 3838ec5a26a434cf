import { answerRoutes, type CampaignAnswers } from '@ghanti/contract/answers.ts'
import { fileAddress } from '../../../api/client.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from './Answers.module.css'
import detailClasses from '../CampaignDetail.module.css'
import { funnelOf } from './funnel.ts'
import { percentText } from './Outcomes.tsx'
import { partText } from './parts.ts'
import { percentOf, Share } from './Share.tsx'
import { Bar } from './ShareBar.tsx'

/** How far people listened: the steps of every call, where most left, and on request each part. */
export function DropOff({ answers, campaignId }: { answers: CampaignAnswers; campaignId: number }) {
  const t = useTexts('answers')
  const format = useFormat()
  const { places, completed, cut, unknown } = answers
  const most = places.reduce<(typeof places)[number] | undefined>(
    (worst, place) => (place.left > (worst?.left ?? 0) ? place : worst),
    undefined,
  )
  const steps = funnelOf(places)
  const highest = steps[0]?.heard ?? 1
  return (
    <section className={detailClasses.card} aria-label={t.funnel}>
      <h2 className={detailClasses.heading}>{t.funnel}</h2>
      <ol className={classes.funnel}>
        {steps.map(({ place, heard, left }) => (
          <li key={place}>
            <span className={classes.step}>
              <span>{partText(place, t, format)}</span>
              <span data-numeric>
                {left > 0 && <small>{t.lost(format.count(left))}</small>} {format.count(heard)}
              </span>
            </span>
            <Bar percent={percentOf(heard, highest)} lost={percentOf(left, highest)} tone="key" />
          </li>
        ))}
      </ol>
      {most && (
        <p className={classes.worst}>
          {t.worst(format.digits(percentText(percentOf(most.left, most.heard))), partText(most.place, t, format))}
        </p>
      )}
      <p className={detailClasses.meaning}>
        {t.ends(format.count(completed), format.count(cut), format.count(unknown))}
      </p>
      <details className={detailClasses.explained}>
        <summary>{t.everyPart}</summary>
        <Parts places={places} />
      </details>
      <p className={classes.downloads}>
        <a href={fileAddress(answerRoutes.dropOffCsv, { campaignId })} download>
          {t.dropOffCsv}
        </a>
      </p>
    </section>
  )
}

function Parts({ places }: Pick<CampaignAnswers, 'places'>) {
  const t = useTexts('answers')
  const format = useFormat()
  return (
    <table className={classes.table}>
      <caption>{t.dropOff}</caption>
      <thead>
        <tr>
          <th scope="col">{t.part}</th>
          <th scope="col" data-right>
            {t.heard}
          </th>
          <th scope="col" data-right>
            {t.hungUp}
          </th>
          <th scope="col" data-right>
            {t.hungUpShare}
          </th>
        </tr>
      </thead>
      <tbody>
        {places.map(({ place, heard, left }) => (
          <tr key={place}>
            <td>{partText(place, t, format)}</td>
            <td data-right data-numeric>
              {format.count(heard)}
            </td>
            <td data-right data-numeric>
              {format.count(left)}
            </td>
            <td data-right data-numeric>
              <Share part={left} whole={heard} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
