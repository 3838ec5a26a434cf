import { IconVolume } from '@tabler/icons-react'
import { listenTo } from '../../../components/ui/sound/Player.tsx'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../CampaignDetail.module.css'

export function Listen({ fileName, src }: { fileName: string; src: string }) {
  const { prompts } = useTexts('campaignDetail')
  return (
    <button
      type="button"
      className={classes.listen}
      data-paper
      aria-label={prompts.listen(fileName)}
      onClick={() => listenTo(fileName, src)}
    >
      <IconVolume size={16} stroke={1.7} aria-hidden />
      {fileName}
    </button>
  )
}
