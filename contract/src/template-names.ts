/** The ids on the wire (specification 1 §9) with names and labels (docs/api.md#templates). What else each needs does not compile without it. */
export const templates = [
  { id: 0, name: 'simple', typeLabel: 'Simple IVR' },
  { id: 1, name: 'dtmf', typeLabel: 'DTMF' },
  { id: 2, name: 'patch', typeLabel: 'Call Patch' },
  { id: 3, name: 'auto1', typeLabel: 'Service Scheduling' },
  { id: 4, name: 'auto2', typeLabel: 'Test Drive Follow up' },
  { id: 5, name: 'auto3', typeLabel: 'Automobile Service Reminder' },
  { id: 6, name: 'insurance1', typeLabel: 'Premium Reminder' },
  { id: 7, name: 'service_reminder1', typeLabel: 'Service Reminder' },
  { id: 8, name: 'consultancy', typeLabel: 'Consultancy' },
] as const

export type TemplateId = (typeof templates)[number]['id']

/** The label in the summary; blank for an unknown id (specification 1 §4). */
export function templateTypeLabel(templateId: number): string {
  return templates.find((template) => template.id === templateId)?.typeLabel ?? ''
}
