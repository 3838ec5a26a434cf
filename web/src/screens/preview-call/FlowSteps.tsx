import type { Menu, Part } from '@ghanti/callflow/flow.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import type { HeardCall } from './heard-call.ts'
import { partNameText } from '@ghanti/contract/part-names.ts'
import { labelOf } from './part-label.ts'
import classes from './PreviewCall.module.css'
import type { Preview } from './queries.ts'

type FlowStepsProps = { preview: Preview; heard: HeardCall; now: Part | null }

export function FlowSteps({ preview, heard, now }: FlowStepsProps) {
  const t = useTexts('previewCall')
  const { flow } = preview
  const section = useRef<HTMLElement>(null)
  useEffect(() => showCurrent(section.current))
  const parts = (list: readonly Part[]) =>
    list.map((part, index) => <PartLine key={index} part={part} preview={preview} isNow={part === now} />)
  return (
    <section ref={section} className={classes.flow} aria-label={t.flow} tabIndex={0}>
      {flow.opening.length > 0 && <Stage title={t.opening}>{parts(flow.opening)}</Stage>}
      {flow.menus.map((menu, index) => (
        <MenuStage
          key={index}
          menu={menu}
          names={preview.keyLabels}
          parts={parts}
          heard={heard}
          isHere={heard.call.menu === index}
        />
      ))}
      <Stage title={t.closing}>
        {parts(flow.closing)}
        <li className={classes.rule}>{t.hangsUp}</li>
      </Stage>
    </section>
  )
}

/** Scrolls only the flow, and only if it is higher than its frame: on phones the keypad must not move. */
function showCurrent(section: HTMLElement | null): void {
  const current = section?.querySelector('[aria-current=step]')
  if (!section || !(current instanceof HTMLElement)) return
  section.scrollTop = current.offsetTop - section.clientHeight / 3
}

function Stage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.stage}>
      <h3>{title}</h3>
      <ol>{children}</ol>
    </div>
  )
}

function PartLine({ part, preview, isNow }: { part: Part; preview: Preview; isNow: boolean }) {
  const t = useTexts('previewCall')
  const format = useFormat()
  return (
    <li className={classes.part} aria-current={isNow ? 'step' : undefined}>
      <span>{labelOf(part, t, format)}</span>
      <small>{soundText(part, preview, t)}</small>
    </li>
  )
}

function soundText(part: Part, { prompts, spoken }: Preview, t: TextsOf<'previewCall'>): string {
  if (part.kind === 'prompt') return prompts.find(({ hash }) => hash === part.hash)?.fileName ?? ''
  const said = spoken[part.column]
  return said ? t.said(said.text, said.voice === null ? t.goneVoice : serverText(said.voice)) : ''
}

type MenuStageProps = {
  menu: Menu
  names: KeyLabels
  parts: (list: readonly Part[]) => ReactNode
  heard: HeardCall
  /** The call is or was in this menu. */
  isHere: boolean
}

function MenuStage({ menu, names, parts, heard, isHere }: MenuStageProps) {
  const t = useTexts('previewCall')
  const format = useFormat()
  const { waiting, ringing } = heard
  return (
    <Stage title={partNameText(menu.name, t.parts, format.digits)}>
      {parts(menu.ask)}
      <li className={classes.rule} aria-current={isHere && waiting ? 'step' : undefined}>
        {menu.waitMs === 0 ? t.noWait : t.waits(format.count(menu.waitMs / 1000))}
      </li>
      {menu.keys.map(({ digit, action }) => (
        <li
          key={digit}
          className={classes.rule}
          aria-current={isHere && action.type === 'agent' && ringing?.number === action.number ? 'step' : undefined}
        >
          <kbd className={classes.key}>{digit}</kbd>
          {ownValue(names, digit) !== undefined && <b>{ownValue(names, digit)} </b>}
          {action.type === 'agent' && t.toAgent(format.phone(action.number))}
          {action.type === 'end' && t.toEnd}
          {action.type === 'nextMenu' && t.toNext}
          {action.type !== 'agent' && action.say.length > 0 && <ol>{parts(action.say)}</ol>}
        </li>
      ))}
      {menu.rePrompts > 0 && <li className={classes.rule}>{t.again(format.count(menu.rePrompts))}</li>}
      {menu.noInput.length > 0 && <Case title={t.noInput}>{parts(menu.noInput)}</Case>}
      {menu.wrongInput.length > 0 && <Case title={t.wrongInput}>{parts(menu.wrongInput)}</Case>}
    </Stage>
  )
}

function Case({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={classes.rule}>
      {title}
      <ol>{children}</ol>
    </li>
  )
}
