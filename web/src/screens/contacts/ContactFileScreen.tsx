import { campaignStatusLabel, campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { call, fileAddress } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Page } from '../../components/ui/Page.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, serverText, useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { askName } from './ask-name.tsx'
import classes from './ContactFiles.module.css'

const FileTables = late(async () => {
  const [part] = await Promise.all([import('../compose/contacts/ContactsPreview.tsx'), loadTexts('compose')])
  return { default: part.FileTables }
})

type Detail = ReplyOf<typeof contactRoutes.detail>
type Campaign = Detail['campaigns'][number]

function idOf(param: string | undefined): number | null {
  return /^[1-9]\d{0,8}$/.test(param ?? '') ? Number(param) : null
}

export const loader = screenLoader(({ params, prefetch }) => {
  const baseId = idOf(params.base)
  if (baseId !== null) void prefetch(jsonQuery(contactRoutes.detail, { baseId }))
})

export default function ContactFileScreen() {
  const baseId = idOf(useParams().base)
  return baseId === null ? <NotFound /> : <Opened key={baseId} baseId={baseId} />
}

function Opened({ baseId }: { baseId: number }) {
  const t = useTexts('contactFiles')
  const { data, error, refetch } = useQuery(jsonQuery(contactRoutes.detail, { baseId }))
  if (data) return <File file={data} />
  return (
    <Page title={t.detailTitle}>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <div className={classes.loading} aria-busy />}
      <Link to="/contact-files">{t.back}</Link>
    </Page>
  )
}

function File({ file }: { file: Detail }) {
  const t = useTexts('contactFiles')
  const { baseId } = file
  return (
    <Page title={file.baseName} subtitle={<Link to="/contact-files">{t.back}</Link>} actions={<Actions file={file} />}>
      <div className={classes.parts}>
        <Facts file={file} />
        <section aria-labelledby="file-content">
          <h2 id="file-content" className={classes.heading}>
            {t.content}
          </h2>
          <Suspense fallback={<div className={classes.loading} aria-busy />}>
            <FileTables
              baseId={baseId}
              preview={file.preview}
              refusedHref={fileAddress(contactRoutes.refusedFile, { baseId })}
            />
          </Suspense>
        </section>
        <Campaigns file={file} />
      </div>
    </Page>
  )
}

function Actions({ file }: { file: Detail }) {
  const t = useTexts('contactFiles')
  const navigate = useNavigate()
  const { baseId } = file
  const askDelete = () =>
    confirm({
      title: file.baseName,
      verb: t.actions.delete,
      question: t.deleteQuestion,
      failure: t.deleteFailed,
      labels: t.fields,
      danger: true,
      onYes: async () => {
        await call(contactRoutes.delete, { baseId })
        void refresh(contactRoutes.bases)
        await navigate('/contact-files')
      },
    })
  const isNeeded = file.keptUntil === null
  return (
    <>
      <Button
        variant="default"
        component="a"
        href={fileAddress(contactRoutes.download, { baseId })}
        download
        leftSection={<IconDownload size={15} stroke={1.7} aria-hidden />}
      >
        {t.actions.download}
      </Button>
      <Button component={Link} to={`/add-contact-file?to=${file.baseId}`}>
        {t.add.button}
      </Button>
      <Button variant="default" onClick={() => askName(file, t)}>
        {t.actions.rename}
      </Button>
      <Button variant="default" disabled={isNeeded} title={isNeeded ? t.needed : undefined} onClick={askDelete}>
        {t.actions.delete}
      </Button>
    </>
  )
}

function Facts({ file }: { file: Detail }) {
  const t = useTexts('contactFiles')
  const format = useFormat()
  const facts = [
    { name: t.columns.rows, value: format.count(file.rows) },
    { name: t.columnNames, value: file.columns.join(', ') },
    { name: t.columns.uploaded, value: <NepalTime wire={file.uploadedAt} /> },
    { name: t.columns.keptUntil, value: file.keptUntil === null ? t.needed : <NepalTime wire={file.keptUntil} /> },
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const columnsOf = (t: TextsOf<'contactFiles'>): FewColumn<Campaign>[] => [
  {
    key: 'name',
    header: t.campaigns.name,
    cell: ({ kind, campaignId, campaignName }) => (
      <Link to={kind === 'calls' ? `/voice-campaign-summary/${campaignId}` : `/sms-campaign-report/${campaignId}`}>
        {campaignName}
      </Link>
    ),
  },
  { key: 'kind', header: t.campaigns.kind, cell: ({ kind }) => t.campaigns.kinds[kind] },
  {
    key: 'status',
    header: t.campaigns.status,
    cell: ({ campaignStatus }) => {
      const status = campaignStatusOf(campaignStatus)
      return status && serverText(campaignStatusLabel[status])
    },
  },
  { key: 'created', header: t.campaigns.created, cell: ({ createdTime }) => <NepalTime wire={createdTime} /> },
]

function Campaigns({ file: { campaigns, campaignCount } }: { file: Detail }) {
  const t = useTexts('contactFiles')
  const format = useFormat()
  const columns = useMemo(() => columnsOf(t), [t])
  const more = campaignCount - campaigns.length
  return (
    <section>
      <h2 id="file-campaigns" className={classes.heading}>
        {t.campaigns.title}
      </h2>
      {campaigns.length === 0 ? (
        <p className={classes.text}>
          {t.campaigns.none} <Link to="/add-voice-campaign">{t.compose}</Link>
        </p>
      ) : (
        <FewRows
          labelledBy="file-campaigns"
          columns={columns}
          rowId={({ kind, campaignId }) => `${kind} ${campaignId}`}
          rows={campaigns}
        />
      )}
      {more > 0 && <p className={classes.text}>{t.campaigns.more(format.count(more))}</p>}
    </section>
  )
}
