import { promptRoutes } from '@ghanti/contract/prompts.ts'
import type { PromptRole } from '@ghanti/callflow/template.ts'
import { promptCategories } from '@ghanti/contract/templates.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { fileAddress } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { PlayButton } from './PlayButton.tsx'
import { promptsQuery } from './queries.ts'
import { useWatched } from './use-watched.ts'

/** 'menu2' is of the category menu, 'noInput' of noinput (docs/api.md#voice-files). */
function categoryOf(role: PromptRole) {
  return promptCategories.find((category) => category === role.replace(/\d$/, '').toLowerCase())
}

type PromptFieldProps = {
  form: FormOfCompose
  role: PromptRole
  /** The keys that answer it, where the template fixes them. */ keys?: readonly string[]
}

/** One of the user's approved files in the role's category, with its player. */
export function PromptField({ form, role, keys }: PromptFieldProps) {
  const t = useTexts('compose')
  const common = useTexts('common')
  const format = useFormat()
  const { userId } = useSession()
  const prompts = useQuery(promptsQuery(userId))
  const offered = prompts.data?.rows.filter((prompt) => prompt.promptCategory === categoryOf(role))
  const isNone = offered?.length === 0
  const pending = useQuery({ ...promptsQuery(userId, 'pending'), enabled: isNone })
  const waiting = pending.data?.rows.filter((prompt) => prompt.promptCategory === categoryOf(role)).length ?? 0
  const chosen = useWatched(form, role)
  const prompt = offered?.find(({ promptId }) => String(promptId) === chosen)
  const gone = offered !== undefined && chosen !== null && !prompt
  return (
    <div>
      <div className={classes.prompt}>
        <div className={classes.grow}>
          <SelectField
            form={form}
            name={role}
            label={t.prompts[role]}
            {...(keys && { description: t.keysOf(keys.join(', ')) })}
            required
            data={offered?.map(({ promptId, fileName }) => ({ value: String(promptId), label: fileName }))}
            emptyText={common.form.noFiles}
            loadError={prompts.error && !offered ? failureTexts(prompts.error).message : undefined}
          />
        </div>
        {prompt && (
          <PlayButton
            key={prompt.promptId}
            src={fileAddress(promptRoutes.listen, { userId, fileName: prompt.fileName })}
            name={prompt.fileName}
            durationMs={prompt.durationMs}
          />
        )}
        {prompts.error && !offered && (
          <Button variant="default" onClick={() => void prompts.refetch()}>
            {common.failure.retry}
          </Button>
        )}
      </div>
      {gone && <p className={classes.error}>{t.prompts.gone}</p>}
      {isNone && (
        <p className={classes.hint}>
          {waiting > 0 ? t.prompts.pending(format.count(waiting)) : t.prompts.none}{' '}
          <Link to="/add-voice-files">{t.prompts.upload}</Link>
        </p>
      )}
    </div>
  )
}
