import { useEffect, useRef, useState } from 'react'
import { idOfStep, type StepName } from './steps.ts'

/** The step that was gone to last, or the one that was scrolled to since; and the way to go to one. */
export function useStepInView(order: readonly StepName[]): [StepName | undefined, (step: StepName) => void] {
  const [inView, setInView] = useState(order[0])
  // A step at the end of a page cannot be scrolled to its top: what was gone to stays until somebody scrolls.
  const isGone = useRef(false)
  useEffect(() => {
    const ends = new AbortController()
    const listen = { signal: ends.signal, passive: true }
    const moved = () => {
      isGone.current = false
    }
    for (const how of ['wheel', 'touchmove', 'keydown', 'pointerdown']) window.addEventListener(how, moved, listen)
    const scrolled = () => {
      if (!isGone.current) setInView(stepAt(order))
    }
    window.addEventListener('scroll', scrolled, listen)
    return () => ends.abort()
  }, [order])
  const goTo = (step: StepName) => {
    isGone.current = true
    setInView(step)
    openStep(step)
  }
  return [inView, goTo]
}

/** Part of the window's height at which a step is being read. */
const readAt = 0.4

function stepAt(order: readonly StepName[]): StepName | undefined {
  const page = document.documentElement
  if (window.scrollY + window.innerHeight >= page.scrollHeight - 2) return order.at(-1)
  const line = window.innerHeight * readAt
  const topOf = (step: StepName) => document.getElementById(idOfStep(step))?.getBoundingClientRect().top ?? Infinity
  return order.findLast((step) => topOf(step) <= line) ?? order[0]
}

/** Brings a step on screen, and the keyboard into it. */
function openStep(step: StepName): void {
  const section = document.getElementById(idOfStep(step))
  section?.querySelector('h2')?.focus({ preventScroll: true })
  section?.scrollIntoView({ block: 'start' })
}
