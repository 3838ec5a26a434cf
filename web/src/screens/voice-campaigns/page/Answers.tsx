import { answerRoutes, type CampaignAnswers } from '@ghanti/contract/answers.ts'
import { useQuery } from '@tanstack/react-query'
import { fileAddress } from '../../../api/client.ts'
import { jsonQuery } from '../../../api/query.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useSession } from '../../../api/session.ts'
import { refusalOf } from '../allowed.ts'
import { CallThese } from './CallThese.tsx'
import { DropOff } from './DropOff.tsx'
import { percentOf, Share } from './Share.tsx'
import { Bar } from './ShareBar.tsx'
import classes from './Answers.module.css'
import detailClasses from '../CampaignDetail.module.css'
import type { CampaignDetail } from './detail.ts'
import { meaningText, partText } from './parts.ts'
import { isFinished } from '../progress.ts'

const againMs = 2_000

/** Keys per menu, and how far people listened; reloaded while calls are answered. */
export default function Answers({ detail }: { detail: CampaignDetail }) {
  const { campaignId, callsConnected } = detail
  const answers = useQuery({
    ...jsonQuery(answerRoutes.ofCampaign, { campaignId }),
    refetchInterval: ({ state }) =>
      !isFinished(detail) || (state.data && state.data.answered < callsConnected) ? againMs : false,
  })
  if (answers.data) return <Figures answers={answers.data} detail={detail} />
  return answers.error ? <Failure error={answers.error} onRetry={() => void answers.refetch()} /> : null
}

function Figures({ answers, detail }: { answers: CampaignAnswers; detail: CampaignDetail }) {
  const t = useTexts('answers')
  const format = useFormat()
  const { role } = useSession()
  const { campaignId } = detail
  const missing = answers.answered - answers.known
  if (answers.answered === 0) return <p className={detailClasses.meaning}>{t.none}</p>
  // A contact file is made of rows by their keys at any menu, so with several it would have others than the line counts.
  const [only, ...others] = answers.menus
  const canCall = only && others.length === 0 && !detail.archivedCalls && refusalOf('newFrom', detail, role) === null
  return (
    <div className={classes.cards} data-menus={Math.min(answers.menus.length, 2)}>
      <section className={detailClasses.card} aria-label={t.title}>
        {!only && <p className={detailClasses.meaning}>{t.noKeys}</p>}
        {answers.menus.map((menu) => (
          <MenuTable key={menu.menu} menu={menu} {...(canCall && { source: detail })} />
        ))}
        {missing > 0 && <p className={detailClasses.meaning}>{t.unknown(format.count(missing))}</p>}
        {only && (
          <p className={classes.downloads}>
            <a href={fileAddress(answerRoutes.keysCsv, { campaignId })} download>
              {t.keysCsv}
            </a>
          </p>
        )}
      </section>
      <DropOff answers={answers} campaignId={campaignId} />
    </div>
  )
}

/** `source`: the campaign of which a new one can be made. */
function MenuTable({ menu, source }: { menu: CampaignAnswers['menus'][number]; source?: CampaignDetail }) {
  const t = useTexts('answers')
  const format = useFormat()
  const lines = [
    ...menu.keys.map((key) => ({
      name: key.key,
      label: key.label,
      meaning: meaningText(key, t, format),
      // Whoever reads the name need not be told that the key is only recorded, or that the next question follows.
      isSaid: key.label === null || (key.meaning !== 'recorded' && key.meaning !== 'next'),
      count: key.count,
      tone: 'key',
    })),
    { name: '–', label: null, isSaid: true, meaning: t.wrong, count: menu.wrong, tone: 'other' },
    { name: '–', label: null, isSaid: true, meaning: t.noKey, count: menu.none, tone: 'other' },
    { name: '–', label: null, isSaid: true, meaning: t.left, count: menu.left, tone: 'left' },
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
        {lines.map(({ name, label, isSaid, meaning, count, tone }) => (
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
                  {isSaid && <small>{meaning}</small>}
                </>
              )}
              <Bar percent={percentOf(count, menu.asked)} tone={tone} />
              {source && tone === 'key' && count > 0 && <CallThese source={source} pressed={name} count={count} />}
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
