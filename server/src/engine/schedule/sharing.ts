/** How the dialers of a route share a campaign's calls (docs/adr/53). Each decides for itself, from what the engines of the others say. */
import type { RouteStep } from '../trunks/route.ts'

type Step = Pick<RouteStep, 'priority' | 'costPaisa' | 'weight'>

/** Another dialer of a campaign's route, as its engine last said. */
export type OtherDialer = {
  name: string
  /** Nothing keeps it from the campaign's calls. */
  carries: boolean
  /** What does. Null: nothing, or nobody says. */
  reason: string | null
  /** `open`: the trunk had room when it was last looked at, a second ago. */
  steps: readonly (Step & { open: boolean })[]
}

type Others = readonly OtherDialer[] | null

export function carrying(others: Others): readonly OtherDialer[] {
  return (others ?? []).filter(({ carries }) => carries)
}

/** The steps of this dialer over which calls begin now: those that no trunk with room elsewhere goes before, by order or by cost. */
export function stepsHere(steps: readonly RouteStep[], others: Others): readonly RouteStep[] {
  const elsewhere = stepsElsewhere(others)
  return steps.filter((step) => !elsewhere.some((other) => inOrder(other, step) < 0))
}

/** Of the calls that the campaign wants: as many as the weights of these steps say, beside those elsewhere that are their equals, and at least one. */
export function shareOf(wanted: number, steps: readonly RouteStep[], others: Others): number {
  const first = steps.toSorted(inOrder)[0]
  if (!first || wanted <= 0) return wanted
  const weightOf = (all: readonly Step[]): number =>
    all.filter((step) => inOrder(step, first) === 0).reduce((sum, { weight }) => sum + weight, 0)
  const [here, elsewhere] = [weightOf(steps), weightOf(stepsElsewhere(others))]
  return Math.ceil((wanted * here) / (here + elsewhere))
}

function stepsElsewhere(others: Others): readonly Step[] {
  return carrying(others).flatMap(({ steps }) => steps.filter(({ open }) => open))
}

function inOrder(a: Step, b: Step): number {
  return a.priority - b.priority || a.costPaisa - b.costPaisa
}
