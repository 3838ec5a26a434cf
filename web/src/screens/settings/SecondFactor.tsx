import type { settingRoutes } from '@ghanti/contract/settings.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SettingForm } from './SettingForm.tsx'

const roles = ['superAdmins', 'resellers', 'users'] as const
type Rules = ReplyOf<typeof settingRoutes.read>['secondFactor']
type Chosen = Record<(typeof roles)[number], boolean>

const ruleOf = (isRequired: boolean) => (isRequired ? 'required' : 'off')

/** Who must have one. It urges to begin with super admins, who can do everything. */
export function SecondFactor({ opened }: { opened: Rules }) {
  const { title } = useTexts('settings').secondFactor
  const { setting: t } = useTexts('factors')
  const isRequired = (role: (typeof roles)[number]) => opened[role] === 'required'
  const initial: Chosen = {
    superAdmins: isRequired('superAdmins'),
    resellers: isRequired('resellers'),
    users: isRequired('users'),
  }
  return (
    <SettingForm
      texts={{ title, note: t.note }}
      initial={initial}
      labels={{ secondFactor: title }}
      fields={{ secondFactor: 'superAdmins' }}
      inputOf={({ superAdmins, resellers, users }) => ({
        secondFactor: { superAdmins: ruleOf(superAdmins), resellers: ruleOf(resellers), users: ruleOf(users) },
      })}
      beyond={!initial.superAdmins && <p role="note">{t.urge}</p>}
    >
      {(form) => roles.map((role) => <CheckboxField key={role} form={form} name={role} label={t.fields[role]} />)}
    </SettingForm>
  )
}
