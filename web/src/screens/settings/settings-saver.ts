import { settingRoutes } from '@ghanti/contract/settings.ts'
import { createContext, use, useMemo, useState } from 'react'
import { call, type SentOf } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { Erring } from '../../components/form/ErrorSummary.tsx'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'

export type Settings = SentOf<typeof settingRoutes.save>
/** A part of the page, as the one Save sees it. */
type Section = {
  labels: Readonly<Record<string, string>>
  /** False, with its errors on screen, when it cannot be sent. */
  isValid: () => boolean
  input: () => Settings
  /** Shows the errors that belong to it, and returns an error with the others. */
  place: (error: unknown) => unknown
}

/** A section's fields with errors: its form, and labels by form name. */
type Faulty = Erring & { labels: Readonly<Record<string, string>> }
export type Faults = ReadonlyMap<string, Faulty>

/** Sections that differ from what is stored, by their title. */
export type Changed = ReadonlyMap<string, Section>
type Saver = {
  note: (title: string, section: Section | null) => void
  /** Null: all of its fields are right. */
  report: (title: string, faulty: Faulty | null) => void
  save: () => Promise<void>
}
const SaverContext = createContext<Saver | null>(null)
export const SaverProvider = SaverContext

export function useSaver(): Saver {
  const saver = use(SaverContext)
  if (!saver) throw new Error('A setting is part of the settings')
  return saver
}

/** One request for every changed section: all of it is stored, or nothing. */
export function useSections(onSaved: () => void): { changed: Changed; faults: Faults; busy: boolean; saver: Saver } {
  const [faults, setFaults] = useState<Faults>(new Map())
  const [changed, setChanged] = useState<Changed>(new Map())
  const [busy, setBusy] = useState(false)
  const saver = useMemo((): Saver => {
    const current = new Map<string, Section>()
    const note: Saver['note'] = (title, section) => {
      const had = current.has(title)
      if (section) current.set(title, section)
      else current.delete(title)
      if (had !== (section !== null)) setChanged(new Map(current))
    }
    const report: Saver['report'] = (title, faulty) =>
      setFaults((before) => {
        if (!faulty && !before.has(title)) return before
        const others = [...before].filter(([other]) => other !== title)
        return new Map(faulty ? [...others, [title, faulty]] : others)
      })
    const save = async () => {
      const sections = [...current.values()]
      // Each shows its own errors, so all are asked.
      if (sections.length === 0 || !sections.map((section) => section.isValid()).every(Boolean)) return
      setBusy(true)
      try {
        await call(settingRoutes.save, Object.assign({}, ...sections.map((section) => section.input())) as Settings)
        await refresh(settingRoutes.read)
        onSaved()
      } catch (error) {
        // What no section has a field for.
        const rest = sections.reduce((left: unknown, section) => section.place(left), error)
        if (rest !== null)
          showFailure(rest, Object.assign({}, ...sections.map(({ labels }) => labels)) as Record<string, string>)
      } finally {
        setBusy(false)
      }
    }
    return { note, report, save }
  }, [onSaved])
  return { changed, faults, busy, saver }
}
