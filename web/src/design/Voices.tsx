import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { confirm, showFailure, showSuccess } from '../components/ui/dialogs/dialogs.ts'
import { Failure } from '../components/ui/failures/Failure.tsx'
import { LoadFailed } from '../components/ui/loading/LoadFailed.tsx'
import { listenTo, Sound } from '../components/ui/sound/Player.tsx'
import { showToastHistory } from '../components/ui/toasts/toast-history.tsx'
import { showDone } from '../components/ui/toasts/toasts.ts'
import classes from './Design.module.css'
import { Part } from './Part.tsx'
import { speechLikeWav } from './wav.ts'

const refused = new Error('Request Failed!! Please try again')
const question = 'Are you sure you want to pause this campaign?'
const onYes = () => new Promise((done) => setTimeout(done, 1000))
const never = () => new Promise<never>(() => undefined)
const failing = () => Promise.reject(refused)

export function Voices() {
  const [sound] = useState(() => URL.createObjectURL(speechLikeWav(12)))
  return (
    <Part title="Dialogs, toasts and failures">
      <div className={classes.row}>
        <Button variant="default" onClick={() => confirm({ title: 'Dashain', question, failure: '', onYes })}>
          Question
        </Button>
        <Button
          variant="default"
          onClick={() => confirm({ title: 'Dashain', question, failure: 'Error in Pause', onYes: failing })}
        >
          Question that fails
        </Button>
        <Button
          variant="default"
          onClick={() => confirm({ title: 'Dashain', question, failure: '', reason: { required: true }, onYes })}
        >
          Question with a reason
        </Button>
        <Button variant="default" onClick={() => showSuccess('Campaign created')}>
          Success
        </Button>
        <Button variant="default" onClick={() => showFailure(refused)}>
          Error
        </Button>
        <Button variant="default" onClick={() => listenTo('welcome.wav', sound)}>
          Player
        </Button>
        <Button variant="default" onClick={() => showDone('The file was deleted')}>
          Toast
        </Button>
        <Button variant="default" onClick={() => showDone('The file was deleted', onYes)}>
          Toast with undo
        </Button>
        <Button variant="default" onClick={showToastHistory}>
          Toasts of before
        </Button>
      </div>
      <Suspense fallback={null}>
        <Sound src={sound} />
        <Sound src="data:audio/wav,nothing" />
      </Suspense>
      <Failure error={refused} onRetry={() => undefined} />
      <Failure error={refused} />
      <LoadFailed tryAgain={never} onLoad={() => undefined} floating={false} />
    </Part>
  )
}
