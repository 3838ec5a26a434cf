import { expect, test } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { blankForm, type ComposeForm } from './form.ts'
import { atFields, fieldsOf } from './wire-fields.ts'

test.each<{ over: Partial<ComposeForm>; wire: string; field: string }>([
  { over: { template: '2' }, wire: 'agentRows.1.agentNumber', field: 'agentNumber' },
  { over: { template: '3', templateName: 'auto1' }, wire: 'prompts.welcome.2.promptId', field: 'menu2' },
  { over: { template: '3', templateName: 'auto3' }, wire: 'prompts.action.0.promptId', field: 'action1' },
  { over: { template: '5' }, wire: 'prompts.welcome.6.promptId', field: 'menu4' },
  { over: { template: '6' }, wire: 'prompts.menus.4.promptId', field: 'menu5' },
  { over: { template: '1' }, wire: 'keyLabels.1', field: 'keyLabels.1' },
  { over: { contactsFrom: 'stored' }, wire: 'baseId', field: 'storedBase' },
])('$wire is said at $field', ({ over, wire, field }) => {
  const error = atFields(new ApiError(400, 'Parameters Incorrect', [{ field: wire, code: 'invalid', text: 'x' }]))
  const named = error instanceof ApiError ? (error.errors[0]?.field ?? '') : ''
  expect(fieldsOf({ ...blankForm, ...over })[named]).toBe(field)
})
