import type { settingRoutes } from '@ghanti/contract/settings.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { FirstPassword } from './FirstPassword.tsx'
import { LostServer } from './LostServer.tsx'
import { OneNumber } from './OneNumber.tsx'
import { OperatorPrefixes } from './OperatorPrefixes.tsx'
import { OptOut } from './OptOut.tsx'
import { ProofMinutes } from './ProofMinutes.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { SmsAddressHosts } from './SmsAddressHosts.tsx'
import { SmsHours } from './SmsHours.tsx'
import { SmsNumberCaps } from './SmsNumberCaps.tsx'
import { TextApproval } from './TextApproval.tsx'

export default function MoreSettings({ data }: { data: ReplyOf<typeof settingRoutes.read> }) {
  return (
    <>
      <LostServer key={`lost ${JSON.stringify(data.lostServer)}`} opened={data.lostServer} />
      <FirstPassword key={`first ${data.firstPassword}`} opened={data.firstPassword} />
      <SecondFactor key={`second ${JSON.stringify(data.secondFactor)}`} opened={data.secondFactor} />
      <ProofMinutes key={`proof ${data.proofMinutes}`} opened={data.proofMinutes} />
      <OperatorPrefixes key={JSON.stringify(data.operatorPrefixes)} opened={data.operatorPrefixes} />
      <TextApproval key={JSON.stringify(data.textApproval)} opened={data.textApproval} />
      <SmsNumberCaps key={`sms ${JSON.stringify(data.smsNumberCaps)}`} opened={data.smsNumberCaps} />
      <OneNumber key={`price ${data.smsPricePaisa}`} name="smsPricePaisa" opened={data.smsPricePaisa} />
      <OptOut key={JSON.stringify(data.optOut)} opened={data.optOut} />
      <OneNumber key={`inbox ${data.inboxDays}`} name="inboxDays" opened={data.inboxDays} />
      <SmsAddressHosts key={`hosts ${JSON.stringify(data.smsAddressHosts)}`} opened={data.smsAddressHosts} />
      <SmsHours key={JSON.stringify(data.smsHours)} opened={data.smsHours} />
    </>
  )
}
