import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import layout from '../../../components/form/Form.module.css'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import { TextField } from '../../../components/form/TextField.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import { withAgent } from './agents.ts'
import type { FieldsProps } from './template.ts'
import { useWatched } from '../use-watched.ts'

export function AgentFields({ form }: FieldsProps) {
  const { agents: t } = useTexts('compose')

  const add = () => {
    const { agents, agentNumber, agentKey } = form.getValues()
    const added = withAgent(agents, agentNumber, agentKey)
    if (!added.ok) {
      form.setFieldError(added.field, added.text)
      form.getInputNode(added.field)?.focus()
      return
    }
    form.setFieldValue('agents', added.agents)
    form.setFieldValue('agentNumber', '')
    form.setFieldValue('agentKey', null)
    // The cleared fields are remounted; typing continues in them.
    requestAnimationFrame(() => form.getInputNode('agentNumber')?.focus())
  }
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement) || event.target.name !== 'agentNumber')
      return
    event.preventDefault()
    add()
  }

  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>
        {t.title} <span aria-hidden>*</span>
      </legend>
      <p className={classes.hint}>{t.hint}</p>
      <AgentList form={form} />
      <div className={layout.fields} onKeyDown={addOnEnter}>
        <TextField form={form} name="agentNumber" label={t.number} inputMode="tel" autoComplete="off" maxLength={30} />
        <SelectField form={form} name="agentKey" label={t.key} data={[...dtmfKeys]} emptyText="" searchable={false} />
        <div>
          <Button variant="default" onClick={add}>
            {t.add}
          </Button>
        </div>
      </div>
    </fieldset>
  )
}

function AgentList({ form }: FieldsProps) {
  const { agents: t } = useTexts('compose')
  const format = useFormat()
  const agents = useWatched(form, 'agents')
  if (agents.length === 0) return null
  return (
    <ol className={classes.agents}>
      {agents.map(({ number, key }, index) => (
        <li key={key}>
          <kbd className={classes.key}>{key}</kbd>
          <span data-numeric>{format.phone(number)}</span>
          {index === agents.length - 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t.removeLast}
              title={t.removeLast}
              onClick={() => form.setFieldValue('agents', agents.slice(0, -1))}
            >
              <IconTrash size={18} stroke={1.6} />
            </ActionIcon>
          )}
        </li>
      ))}
    </ol>
  )
}
