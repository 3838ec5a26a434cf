import type { cliPools, cliUploadTypes } from '@ghanti/contract/lines.ts'

export type UploadValues = {
  cliFile: File | null
  uploadType: (typeof cliUploadTypes)[number]
  pool: (typeof cliPools)[number]
  trunkName: string | null
}
