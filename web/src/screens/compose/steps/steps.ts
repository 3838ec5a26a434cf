/** The parts of a form that composes a campaign; people may go to each at any time. */
export const stepNames = ['what', 'who', 'when', 'check'] as const
export type StepName = (typeof stepNames)[number]

/** Where a step is on the page. */
export const idOfStep = (step: StepName): string => `step-${step}`
