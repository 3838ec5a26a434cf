import { answerRoutes, type CampaignAnswers } from '@ghanti/contract/answers.ts'
import { useQuery } from '@tanstack/react-query'
import { fileAddress } from '../../../api/client.ts'
import { jsonQuery } from '../../../api/query.ts'
import Empty from '../../../components/ui/Empty.tsx'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from './Answers.module.css'
import detailClasses from '../CampaignDetail.module.css'
import type { CampaignDetail } from './detail.ts'
import { percentText } from './Outcomes.tsx'
import { partText } from './parts.ts'
import { isFinished } from '../progress.ts'
import { Section } from './Section.tsx'

const againMs = 2_000

/** Keys per menu, and where people hung up; reloaded while calls are answered. */
export default function Answers({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('answers')
  const { campaignId, callsConnected } = detail
  const answers = useQuery({
    ...jsonQuery(answerRoutes.ofCampaign, { campaignId }),
    refetchInterval: ({ state }) =>
      !isFinished(detail) || (state.data && state.data.answered < callsConnected) ? againMs : false,
  })
  return (
    <Section title={t.title} wide>
      {answers.data ? (
        <Figures answers={answers.data} campaignId={campaignId} />
      ) : answers.error ? (
        <Failure error={answers.error} onRetry={() => void answers.refetch()} />
      ) : (
        <div className={classes.loading} aria-busy />
      )}
    </Section>
  )
}

function Figures({ answers, campaignId }: { answers: CampaignAnswers; campaignId: number }) {
  const t = useTexts('answers')
  const format = useFormat()
  const missing = answers.answered - answers.known
  if (answers.answered === 0) return <Empty drawing="audio" text={t.none} />
  return (
    <>
      <div className={classes.tables} data-menus={Math.min(answers.menus.length, 2)}>
        <div>
          {answers.menus.length === 0 && <p className={detailClasses.meaning}>{t.noKeys}</p>}
          {answers.menus.map((menu) => (
            <MenuTable key={menu.menu} menu={menu} />
          ))}
        </div>
        <DropOff answers={answers} />
      </div>
      {missing > 0 && <p className={detailClasses.meaning}>{t.unknown(format.count(missing))}</p>}
      <p className={classes.downloads}>
        {answers.menus.length > 0 && (
          <a href={fileAddress(answerRoutes.keysCsv, { campaignId })} download>
            {t.keysCsv}
          </a>
        )}
        <a href={fileAddress(answerRoutes.dropOffCsv, { campaignId })} download>
          {t.dropOffCsv}
        </a>
      </p>
    </>
  )
}

const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : (part / whole) * 100)

function MenuTable({ menu }: { menu: CampaignAnswers['menus'][number] }) {
  const t = useTexts('answers')
  const format = useFormat()
  const lines = [
    ...menu.keys.map(({ key, label, meaning, agent, count }) => ({
      name: key,
      label,
      meaning: meaning === 'agent' ? t.meanings.agent(format.phone(agent ?? '')) : t.meanings[meaning],
      count,
      tone: 'key',
    })),
    { name: '–', label: null, meaning: t.wrong, count: menu.wrong, tone: 'other' },
    { name: '–', label: null, meaning: t.noKey, count: menu.none, tone: 'other' },
    { name: '–', label: null, meaning: t.left, count: menu.left, tone: 'left' },
  ]
  return (
    <table className={classes.table}>
      <caption>{t.menu(partText(menu.menu, t, format), format.count(menu.asked))}</caption>
      <thead>
        <tr>
          <th scope="col">{t.key}</th>
          <th scope="col">{t.meaning}</th>
          <th scope="col" data-right>
            {t.count}
          </th>
          <th scope="col" data-right>
            {t.share}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, label, meaning, count, tone }) => (
          <tr key={`${name} ${meaning}`}>
            <td className={classes.key} translate="no">
              {name}
            </td>
            <td>
              {label === null ? (
                meaning
              ) : (
                <>
                  <span className={classes.label}>{label}</span>
                  <small>{meaning}</small>
                </>
              )}
              <Bar percent={percentOf(count, menu.asked)} tone={tone} />
            </td>
            <td data-right data-numeric>
              {format.count(count)}
            </td>
            <td data-right data-numeric>
              <Share part={count} whole={menu.asked} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function DropOff({ answers }: { answers: CampaignAnswers }) {
  const t = useTexts('answers')
  const format = useFormat()
  const { places, completed, cut, unknown } = answers
  const most = places.reduce<(typeof places)[number] | undefined>(
    (worst, place) => (place.left > (worst?.left ?? 0) ? place : worst),
    undefined,
  )
  const highest = Math.max(1, ...places.map(({ heard }) => heard))
  return (
    <div>
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
              <td>
                {partText(place, t, format)}
                <Bar percent={percentOf(heard, highest)} lost={percentOf(left, highest)} tone="key" />
              </td>
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
      {most && (
        <p className={classes.worst}>
          {t.worst(format.digits(percentText(percentOf(most.left, most.heard))), partText(most.place, t, format))}
        </p>
      )}
      <p className={detailClasses.meaning}>
        {t.ends(format.count(completed), format.count(cut), format.count(unknown))}
      </p>
    </div>
  )
}

function Share({ part, whole }: { part: number; whole: number }) {
  const t = useTexts('answers')
  const format = useFormat()
  return part === 0 || whole === 0 ? '–' : t.percent(format.digits(percentText(percentOf(part, whole))))
}

/** Repeats the figures beside it; `lost` of it hung up there. */
function Bar({ percent, lost = 0, tone }: { percent: number; lost?: number; tone: string }) {
  return (
    <svg className={classes.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
      <rect className={classes.track} width="100" height="1" />
      <rect className={classes.share} data-tone={tone} width={percent} height="1" />
      {lost > 0 && <rect className={classes.share} data-tone="left" x={percent - lost} width={lost} height="1" />}
    </svg>
  )
}
