import type { settingRoutes } from '@ghanti/contract/settings.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'

const fields = { 'smsNumberCaps.account': 'account', 'smsNumberCaps.platform': 'platform' } as const

export function SmsNumberCaps({ opened }: { opened: ReplyOf<typeof settingRoutes.read>['smsNumberCaps'] }) {
  const t = useTexts('settings').smsNumberCaps
  return (
    <SettingForm
      texts={t}
      initial={{ account: String(opened.account), platform: String(opened.platform) }}
      labels={{ 'smsNumberCaps.account': t.fields.account, 'smsNumberCaps.platform': t.fields.platform }}
      fields={fields}
      inputOf={(smsNumberCaps) => ({ smsNumberCaps })}
    >
      {(form) =>
        (['account', 'platform'] as const).map((name) => (
          <TextField key={name} form={form} name={name} label={t.fields[name]} required {...wholeNumber} />
        ))
      }
    </SettingForm>
  )
}
