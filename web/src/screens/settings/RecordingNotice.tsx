import { promptMaxBytes } from '@ghanti/contract/prompts.ts'
import {
  noticeTextMax,
  recordingNoticeRoutes,
  type RecordingNotice as Notice,
} from '@ghanti/contract/recording-notice.ts'
import { languages, type Language } from '@ghanti/contract/templates.ts'
import { Button, FileButton, Switch } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fileAddress } from '../../api/client.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { fileProblem } from '../../components/form/files/file-problem.ts'
import layout from '../../components/form/Form.module.css'
import { saving } from '../../components/form/server-errors.ts'
import { TextAreaField } from '../../components/form/TextField.tsx'
import { confirm, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { listenTo } from '../../components/ui/sound/Player.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Settings.module.css'

const wavTypes = '.wav,audio/wav'

/** What both sides hear before their conversation is recorded: off until there is a sound in each language. */
export default function RecordingNotice() {
  const t = useTexts('recordingNotice')
  const notice = useQuery({ ...jsonQuery(recordingNoticeRoutes.read, {}), staleTime: 0 })
  const { data } = notice
  return (
    <section className={layout.form} aria-labelledby="recording-notice">
      <h2 id="recording-notice" className={layout.heading}>
        {t.title}
      </h2>
      <p className={classes.note}>{t.note}</p>
      {notice.error && !data && <Failure error={notice.error} onRetry={() => void notice.refetch()} />}
      {!notice.error && !data && <div aria-busy />}
      {data && (
        <>
          {languages.map((language) => (
            <OneLanguage key={language} language={language} notice={data} />
          ))}
          <Turn notice={data} />
        </>
      )}
    </section>
  )
}

/** Turning it on ends recording without a notice, and turning it off ends the notice, so both ask for confirmation. */
function Turn({ notice: { on, sounds } }: { notice: Notice }) {
  const t = useTexts('recordingNotice')
  const turn = useWrite(recordingNoticeRoutes.turn, [recordingNoticeRoutes.read])
  const isReady = languages.every((language) => sounds.some((sound) => sound.language === language))
  const ask = () =>
    confirm({
      title: '',
      verb: on ? t.stopPlaying : t.play,
      question: on ? t.turnOff : t.turnOn,
      failure: t.failed,
      onYes: async () => {
        await turn.mutateAsync({ input: { on: !on } })
        showDone(on ? t.isOff : t.isOn)
      },
    })
  return (
    <Switch
      checked={on}
      disabled={!on && !isReady}
      label={t.switch}
      description={isReady ? undefined : t.needsBoth}
      onChange={ask}
    />
  )
}

function OneLanguage({ language, notice }: { language: Language; notice: Notice }) {
  const t = useTexts('recordingNotice')
  const format = useFormat()
  const sound = notice.sounds.find((one) => one.language === language)
  const speak = useWrite(recordingNoticeRoutes.speak, [recordingNoticeRoutes.read])
  const form = useForm({ mode: 'uncontrolled', initialValues: { text: sound?.text ?? t.proposed[language] } })
  const sayIt = async ({ text }: { text: string }) => {
    await speak.mutateAsync({ input: { language, text } })
    showDone(t.saved)
  }
  const listen = () =>
    listenTo(t.languages[language], `${fileAddress(recordingNoticeRoutes.listen, { language })}?${sound?.changedAt}`)
  return (
    <form
      className={layout.form}
      aria-label={t.languages[language]}
      onSubmit={saving(form, sayIt, { labels: { text: t.text } })}
      noValidate
    >
      <h3 className={layout.heading}>{t.languages[language]}</h3>
      {sound ? (
        <div className={classes.buttons}>
          <span>{sound.text === null ? t.uploaded : t.spoken}</span>
          <Button variant="default" onClick={listen}>
            {t.listen(format.length(sound.durationMs))}
          </Button>
        </div>
      ) : (
        <p className={classes.note}>{t.missing}</p>
      )}
      <TextAreaField form={form} name="text" label={t.text} rows={2} maxLength={noticeTextMax} />
      <div className={classes.buttons}>
        <Button type="submit" variant="default" loading={form.submitting}>
          {t.speak}
        </Button>
        <Upload language={language} />
      </div>
    </form>
  )
}

function Upload({ language }: { language: Language }) {
  const t = useTexts('recordingNotice')
  const upload = useWrite(recordingNoticeRoutes.upload, [recordingNoticeRoutes.read])
  const [problem, setProblem] = useState<string | null>(null)
  const send = async (waveFile: File | null) => {
    if (!waveFile) return
    const wrong = fileProblem(waveFile, wavTypes, promptMaxBytes)
    setProblem(wrong)
    if (wrong !== null) return
    try {
      const { notes = [] } = await upload.mutateAsync({ input: { language }, files: { waveFile } })
      showDone([t.saved, ...notes.map(serverText)].join(' '))
    } catch (error) {
      showFailure(error, { waveFile: t.file })
    }
  }
  return (
    <>
      <FileButton accept={wavTypes} onChange={(file) => void send(file)}>
        {(props) => (
          <Button {...props} variant="default" loading={upload.isPending}>
            {t.upload}
          </Button>
        )}
      </FileButton>
      {problem !== null && <p role="alert">{problem}</p>}
    </>
  )
}
