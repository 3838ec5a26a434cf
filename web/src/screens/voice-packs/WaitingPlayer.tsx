import { voiceRoutes, type VoicePackDetail } from '@ghanti/contract/voices.ts'
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { fileAddress } from '../../api/client.ts'
import { Sound } from '../../components/ui/sound/Player.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './VoicePacks.module.css'

/** Plays all waiting recordings in sequence: nobody opens 160 of them one by one before deciding. */
export default function WaitingPlayer({ pack }: { pack: VoicePackDetail }) {
  const { listenAll: t } = useTexts('voicePacks')
  const format = useFormat()
  const [at, setAt] = useState(0)
  const waiting = pack.words.filter(({ pendingMs }) => pendingMs !== null)
  const word = waiting[at]
  if (!word) return null
  const isLast = at === waiting.length - 1
  return (
    <div className={classes.player}>
      <div role="status">
        <p className={classes.spoken} lang={pack.language}>
          {word.word}
        </p>
        <p className={classes.more} data-numeric>
          {t.at(format.count(at + 1), format.count(waiting.length))}
        </p>
      </div>
      <Suspense fallback={null}>
        <Sound
          key={word.key}
          autoPlay
          src={fileAddress(voiceRoutes.listen, { packId: pack.packId, key: word.key, which: 'pending' })}
          onEnded={() => !isLast && setAt(at + 1)}
        />
      </Suspense>
      <div className={classes.buttons}>
        <Button variant="default" disabled={at === 0} onClick={() => setAt(at - 1)}>
          {t.previous}
        </Button>
        <Button variant="default" disabled={isLast} onClick={() => setAt(at + 1)}>
          {t.next}
        </Button>
      </div>
    </div>
  )
}
