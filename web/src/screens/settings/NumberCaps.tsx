import type { settingRoutes } from '@ghanti/contract/settings.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'
import classes from './Settings.module.css'

type Read = ReplyOf<typeof settingRoutes.read>
const names = ['answered', 'attempted', 'platform'] as const satisfies readonly (keyof Read['numberCaps'])[]
const fields = {
  'numberCaps.answered': 'answered',
  'numberCaps.attempted': 'attempted',
  'numberCaps.platform': 'platform',
} as const

/** Calls per number and day. `over`: numbers that had more calls today. */
export function NumberCaps({ opened, over }: { opened: Read['numberCaps']; over: number }) {
  const t = useTexts('settings').numberCaps
  const format = useFormat()
  const { answered, attempted, platform } = opened
  return (
    <SettingForm
      texts={t}
      initial={{ answered: String(answered), attempted: String(attempted), platform: String(platform) }}
      labels={{
        'numberCaps.answered': t.fields.answered,
        'numberCaps.attempted': t.fields.attempted,
        'numberCaps.platform': t.fields.platform,
      }}
      fields={fields}
      inputOf={(numberCaps) => ({ numberCaps })}
      beyond={over > 0 && <p className={classes.beyond}>{t.over(format.count(over), over === 1)}</p>}
    >
      {(form) =>
        names.map((name) => (
          <TextField key={name} form={form} name={name} label={t.fields[name]} required {...wholeNumber} />
        ))
      }
    </SettingForm>
  )
}
