import { megabytesOf, type Quotas as QuotasOf, type Stored } from '@ghanti/contract/quotas.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import type { settingRoutes } from '@ghanti/contract/settings.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'
import classes from './Settings.module.css'

type Over = ReplyOf<typeof settingRoutes.read>['overQuotas']
const names = [
  'megabytes',
  'recordingMegabytes',
  'rows',
  'campaigns',
  'prompts',
  'blacklist',
] as const satisfies readonly (keyof QuotasOf)[]
const fields = {
  'quotas.megabytes': 'megabytes',
  'quotas.recordingMegabytes': 'recordingMegabytes',
  'quotas.rows': 'rows',
  'quotas.campaigns': 'campaigns',
  'quotas.prompts': 'prompts',
  'quotas.blacklist': 'blacklist',
} as const

export function Quotas({ opened, over }: { opened: QuotasOf; over: Over }) {
  const t = useTexts('settings').quotas
  const labels = Object.fromEntries(names.map((name) => [`quotas.${name}`, t.fields[name]]))
  return (
    <SettingForm
      texts={t}
      initial={{
        megabytes: String(opened.megabytes),
        recordingMegabytes: String(opened.recordingMegabytes),
        rows: String(opened.rows),
        campaigns: String(opened.campaigns),
        prompts: String(opened.prompts),
        blacklist: String(opened.blacklist),
      }}
      labels={labels}
      fields={fields}
      inputOf={(quotas) => ({ quotas })}
      beyond={over.accounts > 0 && <OverQuotas over={over} quotas={opened} />}
    >
      {(form) =>
        names.map((name) => (
          <TextField key={name} form={form} name={name} label={t.fields[name]} required {...wholeNumber} />
        ))
      }
    </SettingForm>
  )
}

function OverQuotas({ over, quotas }: { over: Over; quotas: QuotasOf }) {
  const t = useTexts('settings').quotas
  const format = useFormat()
  const others = over.accounts - over.first.length
  const usedOf = (account: Stored) =>
    names
      .map((name) => ({ name, used: inUnits(account, name) }))
      .filter(({ name, used }) => used > quotas[name])
      .map(({ name, used }) =>
        t.of(t.fields[name], format.digits(used.toLocaleString('en')), format.count(quotas[name])),
      )
  return (
    <div className={classes.beyond}>
      <p>{t.over(format.count(over.accounts), over.accounts === 1)}</p>
      <ul>
        {over.first.map((account) => (
          <li key={account.username}>
            <bdi>{account.username}</bdi>: {usedOf(account).join('; ')}
          </li>
        ))}
        {others > 0 && <li>{t.others(format.count(others))}</li>}
      </ul>
    </div>
  )
}

/** In the quota's unit, rounded up so that an excess never looks as if it fitted. */
function inUnits(stored: Stored, name: keyof QuotasOf): number {
  if (name === 'megabytes') return megabytesOf(stored.bytes)
  return name === 'recordingMegabytes' ? megabytesOf(stored.recordingBytes) : stored[name]
}
