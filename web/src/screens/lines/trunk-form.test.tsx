import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { useForm } from '@mantine/form'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useState } from 'react'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import FormTabs from '../../components/form/FormTabs.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { loadTexts } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { texts } from '../../i18n/en/trunk-forms.ts'
import { blankTrunk, fieldsOfTrunk, toCreateTrunk, trunkFields, valuesOfTrunk, type TrunkDetail } from './trunk-form.ts'

await loadTexts('trunkForms')

const sip = {
  host: 'sbc.example.np',
  port: 5080,
  transport: 'tls' as const,
  user: 'line1',
  codecs: ['g722' as const, 'alaw' as const],
  cliFormat: 'plus' as const,
  cliHeader: 'both' as const,
  numberStrip: '977',
  numberPrefix: '0',
  registers: true,
  ringSeconds: 25,
  testNumber: '9841000050',
  ...plainSipOptions,
  authUser: 'line1@ims.example.np',
  aors: ['one', 'two'],
  hosts: ['b.example.np', 'c.example.np:5062'],
  shownClis: ['015970001', '9801234500-9801234599'],
  rel100: 'required' as const,
  srtp: true,
  rtpDscp: 0,
}
const trunk: TrunkDetail = {
  trunkId: 4,
  trunkName: 'NTC',
  pilotNumber: '015970000',
  dialerId: 2,
  dialerName: 'Dialer',
  channels: 30,
  cps: 5,
  contractId: 9,
  contractName: 'All of NTC',
  unusable: null,
  symptoms: [],
  sip: { ...sip, hasSecret: true },
}

test('what is stored is shown and sent again as it is; the password, which is not shown, is left out', () => {
  const sent = toCreateTrunk(valuesOfTrunk(trunk))
  const { input } = trunkRoutes.create
  expect(input.parse(sent)).toEqual({
    trunkName: 'NTC',
    pilotNumber: '015970000',
    dialerId: 2,
    channels: 30,
    cps: 5,
    contractId: 9,
    sip: { ...sip, secret: undefined },
  })
})

test('a blank form sends the defaults of the API', () => {
  const typed = { ...blankTrunk, trunkName: 'N', pilotNumber: '015970000', dialerId: '2', channels: '1', cps: '1' }
  const { input } = trunkRoutes.create
  const sent = { trunkName: 'N', pilotNumber: '015970000', dialerId: 2, channels: 1, cps: 1 }
  expect(input.parse(toCreateTrunk(typed))).toEqual(input.parse({ ...sent, contractId: 0, sip: {} }))
})

test('numbers and lists are sent as people write them', () => {
  const typed = {
    ...blankTrunk,
    diversion: '01-597 0000',
    hosts: 'a; b',
    shownClis: '98 41, 01-2\n 5 ',
    port: ' 5062 ',
  }
  expect(toCreateTrunk(typed).sip).toMatchObject({
    diversion: '015970000',
    hosts: ['a', 'b'],
    shownClis: ['9841', '01-2', '5'],
    port: '5062',
  })
})

test('each field has a label, a tab and a place for its errors', () => {
  const names = trunkFields.map(([name]) => name)
  expect(Object.keys(texts.fields).toSorted()).toEqual(names.toSorted())
  expect(new Set(Object.keys(texts.hints)).difference(new Set<string>(names)).size).toBe(0)
  expect(Object.values(fieldsOfTrunk).length + 6).toBe(names.length)
})

function Two() {
  const [wanted, setWanted] = useState<{ name: string } | null>(null)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { one: '', two: '' },
    validate: { two: (two: string) => (two ? null : 'is required') },
  })
  const content = (name: 'one' | 'two') => <TextField form={form} name={name} label={name} />
  return (
    <form onSubmit={form.onSubmit(() => undefined)} noValidate>
      <FormTabs
        label="Parts"
        errors={form.errors}
        attempts={0}
        wanted={wanted}
        errorsIn={(count) => `${count} error`}
        tabs={[
          { key: 'a', label: 'First', fields: ['one'], content: content('one') },
          { key: 'b', label: 'Second', fields: ['two'], content: content('two') },
        ]}
      />
      <ErrorSummary form={form} labels={{ one: 'one', two: 'two' }} onOpen={(name) => setWanted({ name })} />
      <button type="submit">Send</button>
    </form>
  )
}

test('an error of the summary opens its tab again, each time, and focuses its field', async () => {
  await renderApp(<Two />)
  await userEvent.click(page.getByRole('button', { name: 'Send' }))
  for (const _ of ['once', 'again']) {
    await userEvent.click(page.getByRole('tab', { name: 'First' }))
    await expect.element(page.getByLabelText('two')).not.toBeVisible()
    await userEvent.click(page.getByRole('link', { name: 'two is required' }))
    await expect.element(page.getByLabelText('two')).toHaveFocus()
  }
})

test('an error in a hidden tab opens it, and the tab says so until it is mended', async () => {
  await renderApp(<Two />)
  await expect.element(page.getByLabelText('one')).toBeVisible()
  await expect.element(page.getByLabelText('two')).not.toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Send' }))
  await expect.element(page.getByRole('tab', { name: 'Second 1 error' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByText('two is required').first()).toBeVisible()
  await expectAccessible()
  await userEvent.click(page.getByRole('tab', { name: 'First' }))
  await userEvent.fill(page.getByLabelText('one'), 'x')
  await expect.element(page.getByRole('tab', { name: 'First' })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Tab}')
  await userEvent.click(page.getByRole('tab', { name: 'Second 1 error' }))
  await userEvent.fill(page.getByLabelText('two'), 'y')
  await expect.element(page.getByRole('tab', { name: 'Second', exact: true })).toBeVisible()
})
