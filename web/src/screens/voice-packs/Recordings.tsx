import {
  voiceRoutes,
  wordSecondsMax,
  zipMaxBytes,
  type VoicePackDetail,
  type VoicePackWord,
} from '@ghanti/contract/voices.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import { Button, FileButton } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { fileAddress } from '../../api/client.ts'
import Empty from '../../components/ui/Empty.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { recordingTypes } from './actions.ts'
import { sendRecordings, type Sent } from './send.ts'
import classes from './VoicePacks.module.css'

const isRecorded = ({ durationMs, pendingMs }: VoicePackWord) => durationMs !== null || pendingMs !== null
const shownFiles = 100

/** One request per recording, so that a broken connection loses one, not all. */
export default function Recordings({ pack }: { pack: VoicePackDetail }) {
  const t = useTexts('voicePacks')
  const format = useFormat()
  const [at, setAt] = useState<{ file: number; files: number } | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const upload = async (files: File[]) => {
    if (files.length === 0) return
    setSent(null)
    setSent(await sendRecordings(pack.packId, files, (file) => setAt({ file, files: files.length })))
    setAt(null)
  }
  return (
    <section className={classes.section} aria-labelledby="recordings">
      <h2 id="recordings">{t.upload.title}</h2>
      {pack.isOwn && !pack.words.some(isRecorded) && <Empty drawing="audio" text={t.upload.first} />}
      <p className={classes.hint}>
        {t.upload.hint(format.count(wordSecondsMax), format.count(zipMaxBytes / mebibyte))}
      </p>
      <div className={classes.buttons}>
        {pack.isOwn && (
          <FileButton multiple accept={recordingTypes} onChange={(files) => void upload(files)}>
            {(props) => (
              <Button {...props} loading={at !== null} leftSection={<IconUpload size={16} aria-hidden />}>
                {t.upload.choose}
              </Button>
            )}
          </FileButton>
        )}
        <Button
          component="a"
          href={fileAddress(voiceRoutes.wordList, { language: pack.language })}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t.upload.list}
        </Button>
      </div>
      <div role="status">
        {at && <p>{t.upload.progress(format.count(at.file), format.count(at.files))}</p>}
        {sent && sent.taken > 0 && <p>{t.upload.done(format.count(sent.taken))}</p>}
        {sent && sent.noted.length > 0 && (
          <ul>
            {sent.noted.slice(0, shownFiles).map(({ fileName, notes }) => (
              <li key={fileName}>
                {fileName} <span className={classes.more}>{notes.map(serverText).join(' ')}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {sent && sent.refused.length > 0 && (
        <div className={classes.refused} role="alert">
          <p>{t.upload.refused(format.count(sent.refused.length))}</p>
          <ul>
            {sent.refused.slice(0, shownFiles).map(({ fileName, why }) => (
              <li key={fileName}>
                {fileName} <span className={classes.more}>{serverText(why)}</span>
              </li>
            ))}
          </ul>
          {sent.refused.length > shownFiles && <p>{t.upload.more(format.count(sent.refused.length - shownFiles))}</p>}
        </div>
      )}
    </section>
  )
}
