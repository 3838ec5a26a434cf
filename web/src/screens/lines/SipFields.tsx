import layout from '../../components/form/Form.module.css'
import { cliFormats, cliHeaders, sipCodecs, sipTransports } from '@ghanti/contract/trunks.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import { MultiSelectField } from '../../components/form/select/MultiSelectField.tsx'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { AdvancedSip } from './AdvancedSip.tsx'
import { Preset } from './Preset.tsx'
import type { TrunkValues } from './trunk-form.ts'

const plain = { autoComplete: 'off' } as const

export default function SipFields({ form, hasSecret }: { form: Form<TrunkValues>; hasSecret: boolean }) {
  const { fields, sections } = useTexts('lineForms')
  const common = useTexts('common')
  const emptyText = common.form.nothingFound
  return (
    <section className={layout.group} aria-labelledby="sip">
      <div>
        <h2 id="sip">{sections.sip}</h2>
        <p className={layout.hint}>{sections.sipHint}</p>
      </div>
      <Preset form={form} />
      <TextField
        form={form}
        name="sipHost"
        label={fields.sipHost}
        description={fields.sipHostHint}
        maxLength={253}
        {...plain}
      />
      <div className={layout.fields}>
        <TextField
          form={form}
          name="sipPort"
          label={fields.sipPort}
          description={fields.sipPortHint}
          {...wholeNumber}
        />
        <SelectField
          form={form}
          name="transport"
          label={fields.transport}
          description={fields.transportHint}
          data={sipTransports.map((value) => ({ value, label: value.toUpperCase() }))}
          emptyText={emptyText}
        />
      </div>
      <div className={layout.fields}>
        <TextField form={form} name="sipUser" label={fields.sipUser} maxLength={100} {...plain} />
        <TextField
          form={form}
          name="sipSecret"
          label={fields.sipSecret}
          type="password"
          maxLength={200}
          autoComplete="new-password"
          {...(hasSecret ? { description: fields.secretKept } : {})}
        />
      </div>
      <CheckboxField form={form} name="registers" label={fields.registers} />
      <MultiSelectField form={form} name="codecs" label={fields.codecs} data={[...sipCodecs]} emptyText={emptyText} />
      <div className={layout.fields}>
        <SelectField
          form={form}
          name="cliFormat"
          label={fields.cliFormat}
          data={cliFormats.map((value) => ({ value, label: fields.cliFormats[value] }))}
          emptyText={emptyText}
        />
        <SelectField
          form={form}
          name="cliHeader"
          label={fields.cliHeader}
          data={cliHeaders.map((value) => ({ value, label: fields.cliHeaders[value] }))}
          emptyText={emptyText}
        />
      </div>
      <div className={layout.fields}>
        <TextField
          form={form}
          name="numberStrip"
          label={fields.numberStrip}
          description={fields.numberStripHint}
          inputMode="numeric"
          maxLength={40}
          {...plain}
        />
        <TextField
          form={form}
          name="numberPrefix"
          label={fields.numberPrefix}
          description={fields.numberPrefixHint}
          inputMode="tel"
          maxLength={40}
          {...plain}
        />
      </div>
      <div className={layout.fields}>
        <TextField
          form={form}
          name="ringSeconds"
          label={fields.ringSeconds}
          description={fields.ringSecondsHint}
          {...wholeNumber}
        />
        <TextField
          form={form}
          name="testNumber"
          label={fields.testNumber}
          description={fields.testNumberHint}
          inputMode="tel"
          maxLength={40}
          {...plain}
        />
      </div>
      <AdvancedSip form={form} />
    </section>
  )
}
