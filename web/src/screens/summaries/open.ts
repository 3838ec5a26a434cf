import { showFailure } from '../../components/ui/dialogs.ts'

/** Downloads the summary of a campaign as PDF; what does that is loaded when somebody wants it. */
export async function downloadSummary(campaignId: number): Promise<void> {
  try {
    const { downloadPdf } = await import('./download.ts')
    downloadPdf(campaignId)
  } catch (error) {
    showFailure(error)
  }
}
