import { promptRoutes, promptSecondsMax } from '@ghanti/contract/prompts.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { refresh } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import { placeErrors } from '../../components/form/server-errors.ts'
import { showFailure, showSuccess } from '../../components/ui/dialogs/dialogs.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { sendSound, type UploadForm } from './upload-form.ts'
import { isSent, isUsable, nameFieldOf, type PickedSound, type Sounds } from './use-sounds.ts'

/** Longer than what can be sent, so the part must be shortened first. A hundredth of a second is rounding. */
export const isTooLong = ({ fromSeconds, toSeconds }: PickedSound) => toSeconds - fromSeconds > promptSecondsMax + 0.01

/**
 * Sends the files one after the other. For a single one, a refusal is shown at the form's fields and in the Error modal (specification 1 §8). For
 * several, each shows its own; accepted files stay accepted, and the button sends the rest.
 */
export function useSendingSounds(form: Form<UploadForm>, sounds: Sounds) {
  const t = useTexts('prompts')
  const upload = useTexts('prompts').sounds
  const format = useFormat()
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)
  const [summary, setSummary] = useState<string | null>(null)
  const labels = { waveFile: upload.file, promptCategory: t.upload.category, fileName: t.upload.name }

  const sendOne = async (sound: PickedSound, { fileName, promptCategory }: UploadForm, isAlone: boolean) => {
    const category = sound.category || promptCategory
    if (!category) return
    const name = (isAlone ? fileName : sound.name).trim()
    const { change } = sounds
    change(sound.id, { sent: 0, failure: null })
    try {
      await sendSound(sound, { fileName: name, promptCategory: category }, (share) =>
        change(sound.id, { sent: Math.min(share, 0.99) }),
      )
      change(sound.id, { sent: 1 })
    } catch (error) {
      change(sound.id, { sent: null, failure: isAlone ? null : error })
      if (!isAlone) return
      placeErrors(form, error)
      if (!sounds.current().some(({ id }) => id === sound.id)) return
      requestAnimationFrame(() => showFailure(error, labels, true))
    }
  }

  const send = async (values: UploadForm) => {
    setSummary(null)
    const all = sounds.current()
    const waiting = all.filter((sound) => isUsable(sound) && !isSent(sound))
    if (waiting.some(isTooLong)) return
    const nameless = all.length > 1 ? waiting.find(({ name }) => name.trim() === '') : undefined
    if (nameless) return document.getElementById(nameFieldOf(nameless))?.focus()
    setSending(true)
    for (const sound of waiting) await sendOne(sound, values, all.length === 1)
    setSending(false)
    void refresh(promptRoutes.list)
    const done = sounds.current().filter(isSent).length
    if (done === all.length)
      return showSuccess(
        done === 1 ? t.upload.done : upload.doneMany(format.count(done)),
        () => void navigate('/voice-files'),
      )
    if (all.length > 1) setSummary(upload.someLeft(format.count(done), format.count(all.length - done)))
  }

  return { send, isSending, summary }
}
