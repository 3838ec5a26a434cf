import { ownValue } from '@ghanti/contract/own-values.ts'
import layout from '../../components/form/Form.module.css'
import { dtmfModes, identityHeaders, rel100Modes, sessionTimerModes } from '@ghanti/contract/sip-options.ts'
import { useState } from 'react'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextAreaField, TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'
import { isAdvanced, plainAdvanced, type TrunkValues } from './trunk-form.ts'

const plain = { autoComplete: 'off' } as const

/** Settings that only some operators need. Folded while all are as on a plain trunk; an error inside opens it. */
export function AdvancedSip({ form }: { form: Form<TrunkValues> }) {
  const t = useTexts('trunkForms')
  const [isOpen, setOpen] = useState(() => isAdvanced(form.getValues()))
  const hasError = Object.keys(plainAdvanced).some((name) => ownValue(form.errors, name))
  return (
    <details
      className={classes.advanced}
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{t.advanced}</summary>
      <div className={layout.fields}>
        <p className={layout.hint}>{t.advancedHint}</p>
        <Identity form={form} />
        <Route form={form} />
        <Calls form={form} />
        <Sound form={form} />
      </div>
    </details>
  )
}

type Part = { form: Form<TrunkValues> }

function Identity({ form }: Part) {
  const { fields, hints, groups, identityHeaders: headers } = useTexts('trunkForms')
  const emptyText = useTexts('common').form.nothingFound
  return (
    <fieldset className={classes.part}>
      <legend>{groups.identity}</legend>
      <TextField form={form} name="authUser" label={fields.authUser} description={hints.authUser} {...plain} />
      <TextField form={form} name="fromDomain" label={fields.fromDomain} description={hints.fromDomain} {...plain} />
      <TextField form={form} name="contactUser" label={fields.contactUser} description={hints.contactUser} {...plain} />
      <SelectField
        form={form}
        name="identityHeader"
        label={fields.identityHeader}
        description={hints.identityHeader}
        data={identityHeaders.map((value) => ({ value, label: headers[value] }))}
        emptyText={emptyText}
      />
      <TextField
        form={form}
        name="diversion"
        label={fields.diversion}
        description={hints.diversion}
        inputMode="tel"
        maxLength={40}
        {...plain}
      />
      <CheckboxField form={form} name="userPhone" label={fields.userPhone} />
      <TextField form={form} name="aors" label={fields.aors} description={hints.aors} {...plain} />
      <TextAreaField form={form} name="shownClis" label={fields.shownClis} description={hints.shownClis} {...plain} />
    </fieldset>
  )
}

function Route({ form }: Part) {
  const { fields, hints, groups } = useTexts('trunkForms')
  return (
    <fieldset className={classes.part}>
      <legend>{groups.route}</legend>
      <TextField
        form={form}
        name="outboundProxy"
        label={fields.outboundProxy}
        description={hints.outboundProxy}
        {...plain}
      />
      <TextField form={form} name="hosts" label={fields.hosts} description={hints.hosts} {...plain} />
      <CheckboxField form={form} name="byDns" label={fields.byDns} description={hints.byDns} />
      <TextField form={form} name="addresses" label={fields.addresses} description={hints.addresses} {...plain} />
      <CheckboxField form={form} name="sendsOptions" label={fields.sendsOptions} description={hints.sendsOptions} />
      <CheckboxField
        form={form}
        name="rewriteContact"
        label={fields.rewriteContact}
        description={hints.rewriteContact}
      />
    </fieldset>
  )
}

function Calls({ form }: Part) {
  const {
    fields,
    hints,
    groups,
    dtmfModes: dtmf,
    rel100Modes: rel100,
    sessionTimerModes: timers,
  } = useTexts('trunkForms')
  const emptyText = useTexts('common').form.nothingFound
  return (
    <fieldset className={classes.part}>
      <legend>{groups.calls}</legend>
      <TextField
        form={form}
        name="clientCertificate"
        label={fields.clientCertificate}
        description={hints.clientCertificate}
        {...plain}
      />
      <SelectField
        form={form}
        name="dtmf"
        label={fields.dtmf}
        data={dtmfModes.map((value) => ({ value, label: dtmf[value] }))}
        emptyText={emptyText}
      />
      <SelectField
        form={form}
        name="rel100"
        label={fields.rel100}
        data={rel100Modes.map((value) => ({ value, label: rel100[value] }))}
        emptyText={emptyText}
      />
      <SelectField
        form={form}
        name="sessionTimers"
        label={fields.sessionTimers}
        description={hints.sessionTimers}
        data={sessionTimerModes.map((value) => ({ value, label: timers[value] }))}
        emptyText={emptyText}
      />
      <TextField
        form={form}
        name="sessionSeconds"
        label={fields.sessionSeconds}
        description={hints.sessionSeconds}
        {...wholeNumber}
      />
      <TextField
        form={form}
        name="silentSeconds"
        label={fields.silentSeconds}
        description={hints.silentSeconds}
        {...wholeNumber}
      />
    </fieldset>
  )
}

function Sound({ form }: Part) {
  const { fields, hints, groups } = useTexts('trunkForms')
  return (
    <fieldset className={classes.part}>
      <legend>{groups.sound}</legend>
      <CheckboxField form={form} name="srtp" label={fields.srtp} description={hints.srtp} />
      <TextField
        form={form}
        name="rtpTimeoutSeconds"
        label={fields.rtpTimeoutSeconds}
        description={hints.rtpTimeoutSeconds}
        {...wholeNumber}
      />
      <TextField form={form} name="ptimeMs" label={fields.ptimeMs} description={hints.ptimeMs} {...wholeNumber} />
      <TextField form={form} name="rtpDscp" label={fields.rtpDscp} description={hints.rtpDscp} {...wholeNumber} />
    </fieldset>
  )
}
