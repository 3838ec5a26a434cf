import { ownValue } from '@ghanti/contract/own-values.ts'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import type { Faults } from './settings-saver.ts'

/** The errors of all sections as those of one form. */
export default function AllErrors({ faults }: { faults: Faults }) {
  const every = [...faults].flatMap(([title, { errors, labels, getInputNode }]) =>
    Object.entries(errors).map(([name, error]) => ({
      key: `${title}: ${name}`,
      error,
      label: ownValue(labels, name) ?? name,
      node: () => getInputNode(name),
    })),
  )
  const nodes = new Map(every.map(({ key, node }) => [key, node]))
  return (
    <ErrorSummary
      form={{
        errors: Object.fromEntries(every.map(({ key, error }) => [key, error])),
        getInputNode: (key) => nodes.get(key)?.() ?? null,
      }}
      labels={Object.fromEntries(every.map(({ key, label }) => [key, label]))}
    />
  )
}
