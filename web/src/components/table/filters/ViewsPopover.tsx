import { savedViewRoutes, viewNameMax, type SavedView } from '@ghanti/contract/saved-views.ts'
import { Button } from '@mantine/core'
import { IconCheck, IconPencil, IconStar, IconTrash } from '@tabler/icons-react'
import { useState, type ReactElement, type ReactNode, type Ref, type SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../api/client.ts'
import { refresh } from '../../../api/query.ts'
import { useTexts } from '../../../i18n/language.ts'
import { showFailure } from '../../ui/dialogs/dialogs.ts'
import { failureTexts } from '../../ui/failures/failure-texts.ts'
import { showDone } from '../../ui/toasts/toasts.ts'
import { BarPopover, FocusFirst } from './BarPopover.tsx'
import classes from './FilterBar.module.css'
import type { FilterView } from '../use-list.ts'
import { openView } from './views.ts'

type ViewsPanelProps = {
  filters: FilterView
  views: readonly SavedView[]
  /** The URL's current query, '' for none. */
  query: string
  activeId: number | null
  close: () => void
  /** The way back, before what can be chosen. */
  children?: ReactNode
}

type ViewsPopoverProps = Omit<ViewsPanelProps, 'close' | 'children'> & {
  button: ReactElement<{ ref: Ref<HTMLButtonElement>; onClick: () => void }>
}

const readAgain = () => refresh(savedViewRoutes.list)

export default function ViewsPopover({ button, ...panel }: ViewsPopoverProps) {
  const [opened, setOpened] = useState(true)
  return (
    <BarPopover button={button} opened={opened} onChange={setOpened} step="">
      <ViewsPanel {...panel} close={() => setOpened(false)} />
    </BarPopover>
  )
}

export function ViewsPanel({ filters, views, query, activeId, close, children }: ViewsPanelProps) {
  const t = useTexts('filters')
  const { list } = filters
  const [params, setParams] = useSearchParams()
  const [renamed, setRenamed] = useState<SavedView | null>(null)
  const open = (wanted: string) => {
    close()
    setParams(openView(params, wanted, filters), { preventScrollReset: true })
  }
  const step = renamed ? `name of ${renamed.viewId}` : views.map(({ viewId }) => viewId).join()
  return (
    <div className={classes.panel} data-kind="views" role="group" aria-label={t.views.title}>
      <FocusFirst key={`at ${step}`} />
      {children}
      {renamed ? (
        <NameForm
          name={renamed.name}
          label={t.views.saveName}
          act={async (name) => {
            await call(savedViewRoutes.rename, { viewId: renamed.viewId, name })
            await readAgain()
            setRenamed(null)
          }}
          cancel={() => setRenamed(null)}
        />
      ) : (
        <>
          {views.length > 0 && <Open name={t.views.all} isOn={query === ''} onClick={() => open('')} />}
          {views.map((view) => (
            <div key={view.viewId} className={classes.row}>
              <Open
                name={view.name}
                note={view.isDefault ? t.views.usual : undefined}
                isOn={view.viewId === activeId}
                onClick={() => open(view.query)}
              />
              <Actions list={list} view={view} rename={() => setRenamed(view)} />
            </div>
          ))}
          {activeId === null && (query !== '' || views.length === 0) && <Save list={list} query={query} />}
        </>
      )}
    </div>
  )
}

type OpenProps = { name: string; note?: string | undefined; isOn: boolean; onClick: () => void }

function Open({ name, note, isOn, onClick }: OpenProps) {
  return (
    <button type="button" className={classes.item} aria-current={isOn} onClick={onClick}>
      <IconCheck size={16} aria-hidden visibility={isOn ? 'visible' : 'hidden'} />
      <span>
        {name}
        {note !== undefined && <span className={classes.usual}>{note}</span>}
      </span>
    </button>
  )
}

function Actions({ list, view, rename }: { list: string; view: SavedView; rename: () => void }) {
  const t = useTexts('filters')
  const { viewId, name, query, isDefault } = view
  const setDefault = () =>
    call(savedViewRoutes.setDefault, { viewId, isDefault: !isDefault }).then(readAgain).catch(showFailure)
  const remove = () =>
    call(savedViewRoutes.delete, { viewId })
      .then(readAgain)
      .then(() =>
        showDone(t.views.removed(name), () =>
          call(savedViewRoutes.save, { list, name, query, isDefault }).then(readAgain),
        ),
      )
      .catch(showFailure)
  return (
    <>
      <button
        type="button"
        className={classes.icon}
        aria-pressed={isDefault}
        aria-label={t.views.makeDefault(name)}
        title={t.views.makeDefault(name)}
        onClick={() => void setDefault()}
      >
        <IconStar size={16} stroke={1.7} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.icon}
        aria-label={t.views.rename(name)}
        title={t.views.rename(name)}
        onClick={rename}
      >
        <IconPencil size={16} stroke={1.7} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.icon}
        aria-label={t.views.remove(name)}
        title={t.views.remove(name)}
        onClick={() => void remove()}
      >
        <IconTrash size={16} stroke={1.7} aria-hidden />
      </button>
    </>
  )
}

/** A form when there is something to save; otherwise an explanation. */
function Save({ list, query }: { list: string; query: string }) {
  const t = useTexts('filters')
  if (query === '') return <p className={classes.title}>{t.views.none}</p>
  return (
    <NameForm
      name=""
      label={t.views.save}
      act={async (name) => {
        await call(savedViewRoutes.save, { list, name, query })
        await readAgain()
      }}
    />
  )
}

type NameFormProps = { name: string; label: string; act: (name: string) => Promise<unknown>; cancel?: () => void }

function NameForm({ name: before, label, act, cancel }: NameFormProps) {
  const t = useTexts('filters')
  const [name, setName] = useState(before)
  const [faults, setFaults] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    setFaults([])
    await act(name).catch((error: unknown) => {
      setFaults(failureTexts(error, { name: t.views.name, query: t.views.view }).helps)
    })
    setBusy(false)
  }
  return (
    <form className={classes.fields} onSubmit={(event) => void submit(event)} noValidate>
      <label>
        {t.views.name}
        <input
          className={classes.input}
          value={name}
          maxLength={viewNameMax}
          autoComplete="off"
          aria-invalid={faults.length > 0}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </label>
      {faults.map((fault) => (
        <p key={fault} className={classes.fault} role="alert">
          {fault}
        </p>
      ))}
      <Button type="submit" size="xs" loading={isBusy}>
        {label}
      </Button>
      {cancel && (
        <Button variant="default" size="xs" onClick={cancel}>
          {t.views.cancel}
        </Button>
      )}
    </form>
  )
}
