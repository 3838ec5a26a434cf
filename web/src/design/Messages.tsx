import { campaignStatusCode, campaignStatuses } from '@ghanti/contract/campaign-status.ts'
import { useState } from 'react'
import { MessageField } from '../screens/sms-campaigns/compose/MessageField.tsx'
import { SmsStatus } from '../screens/sms-campaigns/cells.tsx'
import classes from './Design.module.css'
import { Part } from './Part.tsx'

const nepali = 'नमस्ते, तपाईँको बिल तयार छ।'
const states = [
  { label: 'Nothing written', text: '', columns: null, isPersonalised: false },
  { label: 'GSM 7-bit', text: 'Dear customer, your bill is ready.', columns: null, isPersonalised: false },
  { label: 'Unicode', text: nepali, columns: null, isPersonalised: false },
  { label: 'With columns', text: 'Dear {name}, ', columns: ['mobile', 'name', 'amount'], isPersonalised: true },
  { label: 'No file chosen', text: '', columns: null, isPersonalised: true },
  { label: 'Too long', text: nepali.repeat(30), columns: null, isPersonalised: false },
] as const

export function Messages() {
  return (
    <Part title="Messages">
      {states.map((state) => (
        <Message key={state.label} {...state} />
      ))}
      <MessageField
        label="Refused"
        name="refused"
        text=""
        problem="is required"
        columns={null}
        isPersonalised={false}
        onChange={() => undefined}
      />
      <div className={classes.row}>
        {campaignStatuses.map((status) => (
          <SmsStatus key={status} code={campaignStatusCode[status]} />
        ))}
      </div>
    </Part>
  )
}

function Message({ label, text: first, columns, isPersonalised }: (typeof states)[number]) {
  const [text, setText] = useState<string>(first)
  return (
    <MessageField
      label={label}
      name={label}
      text={text}
      problem={null}
      columns={columns}
      isPersonalised={isPersonalised}
      perSegment={0.6}
      onChange={setText}
    />
  )
}
