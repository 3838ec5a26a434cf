import { promptSecondsMax } from '@ghanti/contract/prompts.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Prepared } from '../../audio/prepare.ts'
import type { SoundFault } from '../../audio/read-sound.ts'
import type { Form } from '../../components/form/field.ts'
import { freeName, nameOfFile, useNamedAfterFile } from '../../components/form/files/named-after-file.ts'
import type { UploadForm } from './upload-form.ts'

export type PickedSound = {
  id: number
  file: File
  /** Used when several files are picked; a single file has the form's name. */
  name: string
  /** '' means the form's. */
  category: PromptCategory | ''
  /** Null while it is read. */
  sound: Prepared | null
  fault: SoundFault | 'notConverted' | null
  fromSeconds: number
  toSeconds: number
  isLouder: boolean
  /** The share sent, from 0 to 1; 1 once the server has it; null before, and after a failure. */
  sent: number | null
  failure: unknown
}

/** How many files at once: as many as somebody can look through. */
export const soundsMax = 20

export const isUsable = ({ sound, fault }: PickedSound) => sound !== null && fault === null
export const isSent = ({ sent }: PickedSound) => sent === 1

export const nameFieldOf = ({ id }: PickedSound) => `name-of-sound-${id}`

/** The form's files. `current` returns the latest ones to code that runs between two renders. */
export function useSoundList() {
  const [sounds, setSounds] = useState<readonly PickedSound[]>([])
  const now = useRef(sounds)
  const current = useCallback(() => now.current, [])
  const set = useCallback((next: readonly PickedSound[]) => {
    now.current = next
    setSounds(next)
  }, [])
  return { sounds, current, set }
}

/** Adds, removes and reads files. They are read one after the other, so that many large ones do not fill the page's memory. */
export function useSounds(form: Form<UploadForm>, { sounds, current, set }: ReturnType<typeof useSoundList>) {
  const lastId = useRef(0)
  const reading = useRef(Promise.resolve())
  const nameAfter = useNamedAfterFile(form, 'fileName')
  // Files that still wait to be read are dropped with the screen.
  useEffect(() => () => set([]), [set])

  /** Nothing lacks a category any more, once every file has one of its own. */
  const settleCategory = () => {
    const all = current()
    if (all.length > 1 && all.every(({ category }) => category !== '')) form.clearFieldError('promptCategory')
  }

  const change = (id: number, patch: Partial<PickedSound>) => {
    set(current().map((sound) => (sound.id === id ? { ...sound, ...patch } : sound)))
    settleCategory()
  }

  const read = async ({ id, file }: PickedSound) => {
    if (!current().some((sound) => sound.id === id)) return
    const { readSound, UnusableSound } = await import('../../audio/read-sound.ts')
    try {
      const sound = await readSound(file)
      change(id, { sound, toSeconds: Math.min(sound.seconds, promptSecondsMax) })
    } catch (error) {
      change(id, { fault: error instanceof UnusableSound ? error.fault : 'notConverted' })
      if (current().length === 1) nameAfter(null) // with a second file, each has its own name
    }
  }

  /** Replaces files that could not be used. */
  const add = (files: readonly File[]) => {
    const [only, ...others] = current().filter(({ fault }) => fault === null)
    const typed = form.getValues().fileName.trim()
    const kept = only ? [others.length === 0 ? { ...only, name: typed || only.name } : only, ...others] : []
    const added: PickedSound[] = []
    for (const file of files.slice(0, soundsMax - kept.length)) {
      const name = freeName(
        nameOfFile(file.name),
        [...kept, ...added].map((sound) => sound.name),
      )
      const blank = { category: '', sound: null, fault: null, fromSeconds: 0, toSeconds: 0 } as const
      added.push({ id: ++lastId.current, file, name, ...blank, isLouder: false, sent: null, failure: null })
    }
    set([...kept, ...added])
    form.clearFieldError('waveFile')
    const [single] = current()
    if (single && current().length === 1) nameAfter(single.file)
    for (const sound of added) reading.current = reading.current.then(() => read(sound))
  }

  const remove = (id: number) => {
    const before = current().length
    set(current().filter((sound) => sound.id !== id))
    settleCategory()
    const [last] = current()
    if (!last) nameAfter(null)
    else if (before === 2) form.setFieldValue('fileName', last.name)
  }

  return { sounds, current, add, change, remove }
}
export type Sounds = ReturnType<typeof useSounds>
