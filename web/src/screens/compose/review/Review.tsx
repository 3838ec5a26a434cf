import { weekdayOf } from '@ghanti/contract/days.ts'
import { hasNames, keyWithName } from '@ghanti/contract/key-names.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { consultancyKeys } from '@ghanti/contract/templates.ts'
import { Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { fileAddress } from '../../../api/client.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { useOtherDate } from '../../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../../i18n/areas.ts'
import { useFormat, type Format } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import { toPreviewBody } from '../compose-body.ts'
import type { ComposeForm } from '../form.ts'
import { Messages } from '../messages/Messages.tsx'
import { useNow } from '../schedule/use-now.ts'
import { PlayButton } from '../PlayButton.tsx'
import { promptsQuery, usePreview, type Preview } from '../queries.ts'
import { whenText } from '../schedule/schedule.ts'
import { StartNotice } from '../schedule/StartNotice.tsx'
import { hasMessages, textsOfForm } from '../messages/sms-form.ts'
import { agentsOf } from '../templates/agents.ts'
import { keyLabelsOf } from '../templates/key-names.ts'
import { speakingIdOf } from '../templates/speaking.ts'
import { composeTemplateOf } from '../templates/table.ts'
import { cardWords } from '../templates/template.ts'
import { labelled } from '../wire-fields.ts'

type ReviewProps = {
  values: ComposeForm
  baseId: number
  userId: number
  onBack: () => void
  /** `on`: scheduled for that time instead of the form's. */
  onSend: (on?: Pick<ComposeForm, 'day' | 'time'>) => Promise<void>
}

/** The last look before sending: whom, from where, for how much, until when, and what they hear. */
export default function Review({ values, baseId, userId, onBack, onSend }: ReviewProps) {
  const t = useTexts('compose')
  const [sending, setSending] = useState(false)
  const preview = usePreview(toPreviewBody(values, baseId, textsOfForm(values)))
  const nobody = preview.data?.accepted === 0
  const send = async (on?: Pick<ComposeForm, 'day' | 'time'>) => {
    setSending(true)
    await onSend(on)
    setSending(false)
  }
  const opensAt = preview.data?.estimate?.start.opensAt ?? null
  return (
    <div className={classes.review}>
      {preview.error && (
        <Failure
          title={t.review.failed}
          error={labelled(preview.error, t, values)}
          onRetry={() => void preview.refetch()}
        />
      )}
      {!preview.error && !preview.data && <Loader size="sm" />}
      {preview.data && <Sentence preview={preview.data} values={values} />}
      {nobody && (
        <p role="alert" className={classes.error}>
          {t.review.nobody}
        </p>
      )}
      <Facts values={values} preview={preview.data} userId={userId} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onBack} disabled={sending}>
          {t.review.back}
        </Button>
        {opensAt !== null && !nobody && (
          <ScheduleButton opensAt={opensAt} disabled={sending} onSchedule={(on) => void send(on)} />
        )}
        <Button onClick={() => void send()} loading={sending} disabled={nobody || !preview.data} data-autofocus>
          {values.scheduled ? t.send.later : t.send.now}
        </Button>
      </div>
    </div>
  )
}

type ScheduleButtonProps = {
  opensAt: string
  disabled: boolean
  onSchedule: (on: Pick<ComposeForm, 'day' | 'time'>) => void
}

/** Schedules it for the next opening of the calling hours. */
function ScheduleButton({ opensAt, disabled, onSchedule }: ScheduleButtonProps) {
  const { start: t } = useTexts('compose')
  const format = useFormat()
  const now = useNow()
  return (
    <Button
      variant="default"
      disabled={disabled}
      onClick={() => onSchedule({ day: opensAt.slice(0, 10), time: opensAt.slice(11, 16) })}
    >
      {t.schedule(format.moment(whenText(opensAt, now)))}
    </Button>
  )
}

function Sentence({ preview, values }: { preview: Preview; values: ComposeForm }) {
  const t = useTexts('compose')
  const format = useFormat()
  const now = useNow()
  const { estimate, accepted } = preview
  const said = [t.review.calls(format.count(accepted), format.phone(values.cli ?? ''))]
  if (estimate) said.push(t.estimate.atMost(format.rupees(estimate.atMost)))
  const at = estimate?.start.at
  if (at && (values.scheduled || estimate.start.reasons.length > 0))
    said.push(t.review.starts(unbroken(format.moment(whenText(at, now)))))
  if (estimate?.doneAbout) said.push(t.review.done(unbroken(format.moment(whenText(estimate.doneAbout, now)))))
  return (
    <>
      <p className={classes.sentence}>{said.join(', ') + t.review.end}</p>
      {estimate && estimate.perAgentMinute !== null && (
        <p className={classes.hint}>{t.estimate.perAgentMinute(format.rupees(estimate.perAgentMinute))}</p>
      )}
      {estimate?.messages && estimate.messages.unapproved > 0 && (
        <p className={classes.warning}>{t.estimate.unapproved(format.count(estimate.messages.unapproved))}</p>
      )}
      {estimate?.messages && estimate.messages.unsendable > 0 && (
        <p className={classes.hint}>{t.estimate.unsendable(format.count(estimate.messages.unsendable))}</p>
      )}
      {estimate && <StartNotice estimate={estimate} scheduled={values.scheduled} />}
      {estimate && estimate.atMost > estimate.balance && (
        <p className={classes.warning}>{t.estimate.short(format.rupees(estimate.balance))}</p>
      )}
    </>
  )
}

function unbroken(text: string): string {
  return text.replaceAll('-', '\u2011').replaceAll(' ', '\u00a0')
}

function Facts({ values, preview, userId }: { values: ComposeForm; preview: Preview | undefined; userId: number }) {
  const t = useTexts('compose')
  const format = useFormat()
  const template = composeTemplateOf(values.template)
  const keys = template?.keys(values) ?? []
  const refused = preview && preview.rows - preview.accepted
  const facts: (readonly [string, ReactNode])[] = [
    [t.campaignName, values.campaignName],
    [t.template, template && templateLabel(values, t)],
    [t.contacts.title, preview && t.review.contacts(format.count(preview.accepted), format.count(refused ?? 0))],
    ...speechFact(values, t),
    [t.review.plays, <Played key="plays" values={values} userId={userId} />],
    ...(keys.length > 0 ? keyFacts(values, keys, t, format) : []),
    ...(hasMessages(values)
      ? [[t.review.messages, <Messages key="messages" values={values} cost={preview?.estimate?.messages} />] as const]
      : []),
    [
      t.review.when,
      values.scheduled ? (
        <When key="when" day={values.day ?? ''} time={values.time ?? ''} />
      ) : (
        nowText(preview, t, format)
      ),
    ],
    [t.review.retries, t.review.retriesText],
    ...untilFact(preview, t, format),
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function templateLabel({ template, templateName }: ComposeForm, t: TextsOf<'compose'>): string {
  const card = composeTemplateOf(template)
  const label = card ? cardWords(card, t).label : ''
  return template === '3' && templateName ? `${label} · ${t.automobile[templateName]}` : label
}

function speechFact(values: ComposeForm, t: TextsOf<'compose'>): [string, string][] {
  if (speakingIdOf(values) === null) return []
  return [[t.speech.title, `${t.speech.languages[values.language]} · ${t.speech.calendars[values.calendar]}`]]
}

/** 'Send now' may start later when something is in the way. */
function nowText(preview: Preview | undefined, { review: t }: TextsOf<'compose'>, format: Format): string {
  const start = preview?.estimate?.start
  if (!start || start.reasons.length === 0) return t.now
  return start.at === null ? t.waiting : t.starting(format.time(start.at))
}

function untilFact(preview: Preview | undefined, t: TextsOf<'compose'>, format: Format): [string, string][] {
  const until = preview?.estimate?.dialUntil
  return until === undefined ? [] : [[t.review.until, t.review.untilText(format.time(until))]]
}

function keyFacts(values: ComposeForm, keys: string[], t: TextsOf<'compose'>, format: Format): [string, ReactNode][] {
  const { menuWait, rePrompts } = composeTemplateOf(values.template)?.menu ?? values
  return [
    [
      t.review.keys,
      <span key="keys" translate="no">
        {keysText(values, keys, t, format)}
      </span>,
    ],
    [t.review.menu, t.review.menuText(format.digits(menuWait), format.digits(rePrompts))],
  ]
}

function keysText(form: ComposeForm, keys: string[], t: TextsOf<'compose'>, format: Format): string {
  const { template } = form
  const names = keyLabelsOf(form)
  const named = (key: string) => keyWithName(names, key)
  const agentOf = new Map(agentsOf(form).map(({ key, number }) => [key, format.phone(number)]))
  if (template === '2') return keys.map((key) => `${named(key)} → ${agentOf.get(key) ?? ''}`).join(', ')
  if (template !== '6') return keys.map(named).join(', ')
  const ofMenus = consultancyKeys
    .map((own, at) => t.review.keysOfMenu(format.count(at + 1), own.join(', ')))
    .join(' · ')
  return hasNames(names) ? `${ofMenus} (${keys.map(named).join(', ')})` : ofMenus
}

function When({ day, time }: { day: string; time: string }) {
  const t = useTexts('compose')
  const common = useTexts('common')
  const format = useFormat()
  const other = useOtherDate(day)
  const said = [format.moment(`${day} ${time}`), t.schedule.weekdays[weekdayOf(day)], common.time.zone]
  if (other !== null) said.push(other)
  return said.join(' · ')
}

function Played({ values, userId }: { values: ComposeForm; userId: number }) {
  const t = useTexts('compose')
  const prompts = useQuery(promptsQuery(userId)).data?.rows ?? []
  return (
    <ul className={classes.played}>
      {composeTemplateOf(values.template)
        ?.plays(values)
        .map((part) => {
          const { role } = part
          if ('column' in part) return <li key={role}>{t.speech.says[part.kind](part.column)}</li>
          const prompt = prompts.find((one) => String(one.promptId) === part.promptId)
          return (
            <li key={role}>
              <span>
                {t.prompts[part.role]}: {prompt?.fileName}
              </span>
              {prompt && (
                <PlayButton
                  src={fileAddress(promptRoutes.listen, { userId, fileName: prompt.fileName })}
                  name={prompt.fileName}
                  durationMs={prompt.durationMs}
                />
              )}
            </li>
          )
        })}
    </ul>
  )
}
