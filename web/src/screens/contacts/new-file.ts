/** The name of the page's kept form. */
export const newFile = 'contact file'

/** `givenName`: after the file, until somebody types another. `problem`: why the file that was picked on the list is none that can be read. */
export type NewFile = { baseFile: File | null; baseName: string; givenName: string; problem?: string | null }

export const noFile: NewFile = { baseFile: null, baseName: '', givenName: '' }
