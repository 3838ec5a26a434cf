import { trunkPresetNames, trunkPresets, type TrunkPresetName } from '@ghanti/contract/trunk-presets.ts'
import layout from '../../components/form/Form.module.css'
import { useState } from 'react'
import type { Form } from '../../components/form/field.ts'
import { Select } from '../../components/form/select/Select.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import { valuesOfPreset, type TrunkValues } from './trunk-form.ts'

/** Fills in the usual settings of such a trunk, and says what to ask its operator for. Typed host, user and numbers stay. */
export default function Preset({ form }: { form: Form<TrunkValues> }) {
  const { preset: t, presets: words } = useTexts('trunkPresets')
  const [chosen, setChosen] = useState<TrunkPresetName | null>(null)
  const choose = (value: string | null) => {
    const name = trunkPresetNames.find((known) => known === value) ?? null
    setChosen(name)
    if (name) form.setValues(valuesOfPreset(trunkPresets[name]))
  }
  return (
    <>
      <Select
        label={t.label}
        description={t.hint}
        placeholder={t.none}
        data={trunkPresetNames.map((value) => ({ value, label: words[value].name }))}
        value={chosen}
        onChange={choose}
        comboboxProps={{ keepMounted: false }}
      />
      {chosen && (
        <div className={classes.ask} role="status">
          <p className={layout.hint}>{t.ask}</p>
          <ul>
            {words[chosen].ask.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
