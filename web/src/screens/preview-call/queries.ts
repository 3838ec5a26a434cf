import { Flow, type Part } from '@ghanti/callflow/flow.ts'
import { previewCallRoutes, type PreviewCall as Reply } from '@ghanti/contract/preview-calls.ts'
import { useQuery } from '@tanstack/react-query'
import { ownAddress } from '../../api/branding.ts'
import { call, type SentOf } from '../../api/client.ts'
import { decodedSound } from '../../api/decoded-sound.ts'
import { samplesPerSecond } from './speaker.ts'

/** A campaign, or a form that is not sent yet. */
export type Source = { campaignId: number } | { body: SentOf<typeof previewCallRoutes.composed> }

export type Preview = Omit<Reply, 'flow'> & { flow: Flow }

/** What the row on this line hears; null: the first to be called. Keeps the previous row while another loads. */
export function usePreview(source: Source, row: number | null) {
  return useQuery({
    queryKey: [previewCallRoutes.composed.path, source, row],
    queryFn: async ({ signal }): Promise<Preview> => {
      const at = row === null ? {} : { row }
      const reply =
        'campaignId' in source
          ? await call(previewCallRoutes.ofCampaign, { campaignId: source.campaignId, ...at }, { signal })
          : await call(previewCallRoutes.composed, { ...source.body, ...at }, { signal })
      return { ...reply, flow: Flow.parse(reply.flow) }
    },
    placeholderData: (before) => before,
  })
}

function addressesOf(preview: Preview): [string, string][] {
  return [...preview.prompts, ...preview.spoken].map(({ hash, url }) => [hash, ownAddress(url) ?? url])
}

export function hashOf(part: Part, { spoken }: Preview): string {
  return part.kind === 'prompt' ? part.hash : (spoken[part.column]?.hash ?? '')
}

/** Every sound by hash, loaded before the call starts, because a telephone does not pause to load. */
export function useSounds(preview: Preview) {
  const addresses = addressesOf(preview)
  return useQuery({
    queryKey: ['sounds of a preview', addresses.map(([hash]) => hash)],
    queryFn: async ({ signal }) =>
      new Map(
        await Promise.all(
          addresses.map(async ([hash, url]): Promise<[string, AudioBuffer]> => [
            hash,
            await decodedSound(url, samplesPerSecond, signal),
          ]),
        ),
      ),
    staleTime: Infinity,
    gcTime: 0,
    retry: 1,
  })
}
