import { exampleParts } from '@ghanti/contract/examples/example.ts'
import { NativeSelect } from '@mantine/core'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { basePath } from '../../../api/base.ts'
import { useSession } from '../../../api/session.ts'
import { Segments } from '../../../components/form/Segments.tsx'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { late } from '../../../components/ui/loading/late.tsx'
import part from '../Developers.module.css'
import { useDeveloperTexts } from '../texts.ts'
import { Code } from './Code.tsx'
import { codeLanguages, examplesIn, languageNames, useCodeLanguage } from './languages.ts'
import { useOwn, type Own } from './own.ts'
import classes from './Reference.module.css'
import { TryIt } from './TryIt.tsx'

const ErrorCodes = late(() => import('./ErrorCodes.tsx'))
/** A reseller's key sends no messages. */
const ofResellers: readonly string[] = ['events', 'verify']

/** What a program calls, in the reader's own names. */
export default function Reference() {
  const t = useDeveloperTexts().reference
  const isUser = useSession().role === 'user'
  const own = useOwn(isUser)
  const [language, choose] = useCodeLanguage()
  const examples = examplesIn[language]
  if (own.failed?.error) return <Failure error={own.failed.error} onRetry={() => void own.failed?.refetch()} />
  if (own.isLoading) return <div className={part.loading} aria-busy />
  const shown = exampleParts.filter((name) => name === 'install' || isUser || ofResellers.includes(name))
  return (
    <div className={classes.reference}>
      <div className={classes.choices}>
        <Segments
          label={t.language}
          value={language}
          onChange={choose}
          data={languageNames.map((value) => ({ value, label: codeLanguages[value] }))}
        />
        {isUser ? <OwnNames own={own} /> : <p className={classes.note}>{t.ofReseller}</p>}
      </div>
      {shown.map((name) => (
        <section key={name} className={classes.section} aria-labelledby={`reference-${name}`}>
          <div className={classes.about}>
            <h2 id={`reference-${name}`}>{t.parts[name].title}</h2>
            <p>{name === 'install' ? t.install[language] : t.parts[name].hint}</p>
            {name === 'send' && <Code label={t.example(t.parts.send.title)} text={examples.send(own.of)} />}
          </div>
          {name === 'send' ? (
            <TryIt own={own} />
          ) : (
            <Code label={t.example(t.parts[name].title)} text={examples[name](own.of)} />
          )}
        </section>
      ))}
      <Downloads />
      <Suspense fallback={<div className={part.loading} aria-busy />}>
        <ErrorCodes />
      </Suspense>
    </div>
  )
}

function OwnNames({ own: { senders, texts, from, text, chooseSender, chooseText } }: { own: Own }) {
  const t = useDeveloperTexts().reference
  return (
    <>
      {from ? (
        <NativeSelect
          label={t.sender}
          data={senders.map(({ cliName }) => cliName)}
          value={from.cliName}
          onChange={(event) => chooseSender(event.currentTarget.value)}
        />
      ) : (
        <p className={classes.note}>
          {t.noSender} <Link to="/sms-sender-ids">{t.askSender}</Link>
        </p>
      )}
      {texts.length > 0 ? (
        <NativeSelect
          label={t.text}
          data={[
            ...texts.map(({ textId, textName }) => ({ value: String(textId), label: textName })),
            { value: '', label: t.freeText },
          ]}
          value={text ? String(text.textId) : ''}
          onChange={(event) => chooseText(event.currentTarget.value)}
        />
      ) : (
        <p className={classes.note}>
          {t.noText} <Link to="/sms-texts">{t.saveText}</Link>
        </p>
      )}
    </>
  )
}

const files = [
  ['php', '/api/v1/clients/ghanti.php'],
  ['python', '/api/v1/clients/ghanti.py'],
] as const

function Downloads() {
  const t = useDeveloperTexts().reference
  return (
    <section className={classes.section} aria-labelledby="reference-downloads">
      <div className={classes.about}>
        <h2 id="reference-downloads">{t.downloads.title}</h2>
        <p>{t.downloads.hint}</p>
      </div>
      <ul className={classes.files}>
        {files.map(([language, path]) => (
          <li key={path}>
            <a href={basePath + path} download>
              {t.downloads.client(codeLanguages[language])}
            </a>
          </li>
        ))}
        <li>
          <a href={`${basePath}/api/openapi.json?for=programs`} download="ghanti-openapi.json">
            {t.downloads.openApi}
          </a>
        </li>
      </ul>
    </section>
  )
}
