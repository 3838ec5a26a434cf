import { queryClient } from '../../api/query.ts'

const key = (name: string) => ['kept form', name]
queryClient.setQueryDefaults(['kept form'], { gcTime: Infinity })

/** What was typed on a page that was left, with its file, which no storage of the browser takes. Signing out forgets it. */
export function keptForm<Values>(name: string): Values | undefined {
  return queryClient.getQueryData<Values>(key(name))
}

export function keepForm<Values>(name: string, values: Values): void {
  queryClient.setQueryData(key(name), values)
}

export function dropForm(name: string): void {
  queryClient.removeQueries({ queryKey: key(name) })
}
