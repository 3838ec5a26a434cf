import layout from '../../components/form/Form.module.css'
import { brandRoutes, logoMaxBytes, type Brand } from '@ghanti/contract/brands.ts'
import { mebibyte, nameMax } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { brandingQuery, ownAddress } from '../../api/branding.ts'
import { queryClient, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import type { Form } from '../../components/form/field.ts'
import { FileField } from '../../components/form/files/FileField.tsx'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { Status } from '../../components/ui/Status.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { ownColour } from '../../theme-colours.ts'
import { colourOf, toBrandBody, valuesOf, type BrandValues } from './brand-form.ts'
import { BrandPreview } from './BrandPreview.tsx'
import classes from './Branding.module.css'

/** `brand`: as loaded; saving loads it again. */
export function BrandForm({ brand }: { brand: Brand }) {
  const t = useTexts('branding')
  const format = useFormat()
  const { role } = useSession()
  const save = useWrite(brandRoutes.save, [brandRoutes.own, brandRoutes.domains])
  const [seen, setSeen] = useState<Omit<BrandValues, 'domain'>>(valuesOf(brand))
  const form = useForm<BrandValues>({
    mode: 'uncontrolled',
    initialValues: valuesOf(brand),
    validate: {
      company: (company) => (company.trim() ? null : 'is required'),
      primaryColour: (colour) => (!colour.trim() || colourOf(colour) ? null : `must look like ${ownColour}`),
    },
    onValuesChange: setSeen,
  })

  const { company, domain, logo, primaryColour } = t.fields
  const labels = { company, domain, logo, primaryColour }
  const saveIt = async (values: BrandValues) => {
    await save.mutateAsync({ input: toBrandBody(values), files: values.logo ? { logo: values.logo } : {} })
    await queryClient.invalidateQueries({ queryKey: brandingQuery.queryKey })
    const waits = values.domain.trim() !== '' && values.domain.trim() !== brand.domain?.hostname
    showDone(waits ? t.savedWaiting : t.saved)
  }

  return (
    <div className={classes.columns}>
      <form className={layout.form} onSubmit={saving(form, saveIt, { labels, summed: true })} noValidate>
        <TextField
          form={form}
          name="company"
          label={t.fields.company}
          description={t.fields.companyHint}
          required
          maxLength={nameMax}
          autoComplete="organization"
        />
        {role !== 'superAdmin' && <DomainField form={form} brand={brand} />}
        <FileField
          form={form}
          name="logo"
          label={t.fields.logo}
          description={t.fields.logoHint(format.count(logoMaxBytes / mebibyte))}
          accept=".png,.jpg,.jpeg,.webp,.gif,image/png,image/jpeg,image/webp,image/gif"
          maxBytes={logoMaxBytes}
        />
        {brand.logoUrl !== null && <CheckboxField form={form} name="removeLogo" label={t.fields.removeLogo} />}
        <TextField
          form={form}
          name="primaryColour"
          label={t.fields.primaryColour}
          description={t.fields.primaryColourHint}
          placeholder={ownColour}
          maxLength={7}
          autoComplete="off"
          rightSection={
            <input
              type="color"
              className={classes.picker}
              aria-label={t.fields.pickColour}
              value={colourOf(seen.primaryColour) ?? ownColour}
              onChange={(event) => form.setFieldValue('primaryColour', event.currentTarget.value)}
            />
          }
        />
        <ErrorSummary form={form} labels={labels} />
        <div className={layout.buttons}>
          <Button type="submit" loading={form.submitting}>
            {t.save}
          </Button>
        </div>
      </form>
      <BrandPreview
        company={seen.company}
        primaryColour={seen.primaryColour}
        picked={seen.logo}
        logoUrl={seen.removeLogo ? null : ownAddress(brand.logoUrl)}
      />
    </div>
  )
}

function DomainField({ form, brand }: { form: Form<BrandValues>; brand: Brand }) {
  const t = useTexts('branding')
  const { domain, waiting, refused } = brand
  return (
    <>
      <TextField
        form={form}
        name="domain"
        label={t.fields.domain}
        description={t.fields.domainHint}
        maxLength={253}
        autoComplete="off"
      />
      {(domain || waiting || refused) && (
        <ul className={classes.states}>
          {domain && (
            <li>
              <Status is="done">{t.works(domain.hostname)}</Status>
            </li>
          )}
          {waiting && (
            <li>
              <Status is="held">{t.waits(waiting.hostname)}</Status>
            </li>
          )}
          {refused && (
            <li>
              <Status is="problem">
                {refused.reason === null ? t.givenAway(refused.hostname) : t.refused(refused.hostname, refused.reason)}
              </Status>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
