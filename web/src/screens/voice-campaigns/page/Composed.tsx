import { keyWithName } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { calendarOfLanguage } from '@ghanti/contract/templates.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fileAddress } from '../../../api/client.ts'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import type { TextsOf } from '../../../i18n/areas.ts'
import { useFormat, type Format } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../CampaignDetail.module.css'
import { composedFields, type CampaignDetail, type ComposedFields } from './detail.ts'
import { Listen } from './Listen.tsx'
import { Section } from './Section.tsx'

type Line = { name: string; value: ReactNode }

export default function Composed({ detail }: { detail: CampaignDetail }) {
  const { columns, types } = useTexts('voiceCampaigns')
  const t = useTexts('campaignDetail')
  const format = useFormat()
  const given = composedFields(detail.composed)
  const lines = [
    { name: columns.campaignType, value: types[detail.templateId] ?? '' },
    ...whenAndWhere(detail, t, format),
    ...prompts(detail, t),
    ...speech(given, t),
    ...menu(given, t, format),
    ...calls(detail, t, format),
    { name: t.composed.sms, value: smsLines(given, detail, t, format) },
  ]
  return (
    <Section title={t.detail.composed}>
      <dl className={classes.lines}>
        {lines.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function whenAndWhere(detail: CampaignDetail, { composed }: TextsOf<'campaignDetail'>, format: Format): Line[] {
  return [
    { name: composed.cli, value: format.phone(detail.cli) },
    { name: composed.schedule, value: <NepalTime wire={detail.scheduleTime} relative /> },
    { name: composed.composedAt, value: <NepalTime wire={detail.composedAt} /> },
    { name: composed.dialUntil, value: <NepalTime wire={detail.dialUntil} relative /> },
  ]
}

function prompts({ prompts, userId }: CampaignDetail, t: TextsOf<'campaignDetail'>): Line[] {
  const names: Readonly<Record<string, string>> = t.prompts.roles
  return prompts.map(({ role, fileName }) => ({
    name: ownValue(names, role) ?? role,
    value: <Listen fileName={fileName} src={fileAddress(promptRoutes.listen, { userId, fileName })} />,
  }))
}

function speech({ language, calendar }: ComposedFields, { composed: t }: TextsOf<'campaignDetail'>): Line[] {
  if (!language) return []
  return [
    { name: t.language, value: t.languages[language] },
    { name: t.calendar, value: t.calendars[calendar ?? calendarOfLanguage[language]] },
  ]
}

function menu(given: ComposedFields, { composed: t }: TextsOf<'campaignDetail'>, format: Format): Line[] {
  const {
    dtmf,
    prompts: { menus },
    menuWaitTime,
    rePrompt,
    agentRows,
    keyLabels,
  } = given
  const lines: Line[] = []
  const named = (key: string) => keyWithName(keyLabels, key)
  if (dtmf) lines.push({ name: t.keys, value: <span translate="no">{dtmf.split(',').map(named).join(', ')}</span> })
  if (menus.length > 0) {
    const keys = menus.map(({ dtmf: own }, at) => t.keysOfMenu(format.count(at + 1), own.split('|').join(', ')))
    lines.push({ name: t.keys, value: <Several texts={keys} isCode /> })
  }
  if (agentRows.length > 0) {
    const agents = agentRows.map(({ agentDtmf, agentNumber }) => t.agent(named(agentDtmf), format.phone(agentNumber)))
    lines.push({ name: t.agents, value: <Several texts={agents} /> })
  }
  // Elsewhere they stand beside the keys.
  const names = menus.length > 0 ? Object.keys(keyLabels).map(named) : []
  if (names.length > 0) lines.push({ name: t.keyNames, value: <Several texts={names} /> })
  if (menuWaitTime !== undefined) lines.push({ name: t.menuWait, value: t.seconds(format.count(menuWaitTime)) })
  if (rePrompt !== undefined)
    lines.push({ name: t.rePrompt, value: rePrompt === 0 ? t.never : t.times(format.count(rePrompt)) })
  return lines
}

function calls(detail: CampaignDetail, { composed: t }: TextsOf<'campaignDetail'>, format: Format): Line[] {
  const { retriesMax, retryIntervalMinutes, channels } = detail
  const after = t.retriesAfter(format.count(retriesMax), format.count(retryIntervalMinutes))
  return [
    { name: t.retries, value: retriesMax === 0 ? t.noRetries : after },
    { name: t.channels, value: format.count(channels) },
  ]
}

type SmsCounts = CampaignDetail['sms']

function smsLines(
  given: ComposedFields,
  { sms: counts, smsTexts }: Pick<CampaignDetail, 'sms' | 'smsTexts'>,
  { composed: t }: TextsOf<'campaignDetail'>,
  format: Format,
): ReactNode {
  const { smsSuccessApi, smsFailApi, smsDtmfApi, callDurationSMS = 0 } = given
  const texts = [
    smsSuccessApi && t.smsSuccess(smsSuccessApi, format.count(callDurationSMS)) + fared('success'),
    smsFailApi && t.smsFail(smsFailApi) + fared('fail'),
    smsDtmfApi && t.smsDtmf(smsDtmfApi) + fared('dtmf'),
  ].filter((text) => text !== undefined)
  const ours = ofTexts(given, t, format)
  if (texts.length + ours.length === 0) return t.smsNone
  return (
    <>
      {texts.length > 0 && <Several texts={counts.length === 0 ? [t.smsNotSent, ...texts] : texts} />}
      <Several texts={ours} />
      {smsTexts && <TextsFare texts={smsTexts} />}
    </>
  )

  /** ' (sent 12, failed 1)' */
  function fared(occasion: SmsCounts[number]['occasion']): string {
    const count = counts.find((one) => one.occasion === occasion)
    if (!count) return ''
    const states = (['waiting', 'sent', 'failed', 'unknown', 'cancelled'] as const).filter(
      (state) => state === 'sent' || count[state] > 0,
    )
    return ` (${states.map((state) => `${t.smsCounts[state]} ${format.count(count[state])}`).join(', ')})`
  }
}

function ofTexts(given: ComposedFields, t: TextsOf<'campaignDetail'>['composed'], format: Format): string[] {
  const { smsSuccessText, smsFailText, smsDtmfTexts, keyLabels, callDurationSMS = 0 } = given
  return [
    ...(smsSuccessText ? [t.smsSuccess(`“${smsSuccessText}”`, format.count(callDurationSMS))] : []),
    ...(smsFailText ? [t.smsFail(`“${smsFailText}”`)] : []),
    ...Object.entries(smsDtmfTexts).map(([key, text]) => t.smsKey(keyWithName(keyLabels, key), `“${text}”`)),
  ]
}

function TextsFare({ texts }: { texts: NonNullable<CampaignDetail['smsTexts']> }) {
  const { composed: t } = useTexts('campaignDetail')
  const format = useFormat()
  const counts = (['waiting', 'submitted', 'delivered', 'failed', 'expired', 'unknown'] as const)
    .filter((state) => texts[state] > 0)
    .map((state) => `${t.smsTextCounts[state]} ${format.count(texts[state])}`)
  return (
    <span className={classes.one}>
      <Link to={`/sms-campaign-report/${texts.campaignId}`}>{t.smsCampaign(texts.cli)}</Link>
      {`: ${[t.smsDue(format.count(texts.due)), ...counts, t.smsCost(format.rupees(texts.cost))].join(', ')}`}
      {texts.withheld > 0 && `; ${t.smsWithheld(format.count(texts.withheld))}`}
    </span>
  )
}

function Several({ texts, isCode = false }: { texts: readonly string[]; isCode?: boolean }) {
  return texts.map((text) => (
    <span key={text} className={classes.one} {...(isCode ? { translate: 'no' as const } : {})}>
      {text}
    </span>
  ))
}
