import { Button } from '@mantine/core'
import { dispositions } from '@ghanti/contract/campaign-status.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import Empty from '../components/ui/Empty.tsx'
import { Failed } from '../components/ui/failures/Failed.tsx'
import { Icon } from '../components/ui/icons/Icon.tsx'
import { Logo } from '../components/ui/icons/Logo.tsx'
import { Status, type StatusKind } from '../components/ui/Status.tsx'
import TemplateIcon from '../screens/compose/templates/TemplateIcon.tsx'
import { screenIcons } from '../shell/screen-icons.ts'
import { OutcomeBar, ProgressBar } from '../screens/voice-campaigns/Bars.tsx'
import classes from './Design.module.css'
import { Part } from './Part.tsx'

const kinds: readonly StatusKind[] = ['neutral', 'running', 'done', 'held', 'problem']
const drawings = ['contacts', 'campaigns', 'messages', 'audio', 'results', 'list', 'lines', 'search'] as const
const sizes = [12, 14, 16, 20, 28]
const outcomes = Object.fromEntries(dispositions.map((name, at) => [name, 40 - 4 * at]))

export function Signs() {
  return (
    <>
      <Part title="Sizes">
        <div className={classes.sizes}>
          {sizes.map((size) => (
            <span key={size} data-size={size}>
              {size} px, 0123456789, घण्टी
            </span>
          ))}
        </div>
      </Part>
      <Part title="Statuses">
        <div className={classes.row}>
          {kinds.map((kind) => (
            <Status key={kind} is={kind}>
              {kind}
            </Status>
          ))}
        </div>
        <div className={classes.row}>
          {kinds.map((kind) => (
            <Status key={kind} badge is={kind}>
              {kind}
            </Status>
          ))}
        </div>
      </Part>
      <Part title="Progress and outcomes">
        {kinds.map((kind, at) => (
          <ProgressBar key={kind} tall share={0.2 * (at + 1)} attempts={100} tone={kind} />
        ))}
        <OutcomeBar tall outcomes={outcomes} />
      </Part>
      <Part title="Nothing there yet">
        {drawings.map((drawing) => (
          <Empty key={drawing} drawing={drawing} text={`Why there is nothing yet: ${drawing}.`}>
            <Button variant="default" size="xs">
              The next step
            </Button>
          </Empty>
        ))}
      </Part>
      <Part title="Of a form as a whole">
        <Failed error={new Error('What went wrong and has no field of its own.')} labels={{}} />
      </Part>
      <Part title="Buttons">
        <div className={classes.row}>
          <Button>Send</Button>
          <Button variant="default">Cancel</Button>
          <Button color="var(--problem-fill)">Stop</Button>
          <Button color="var(--problem-text)" variant="outline">
            Give up
          </Button>
          <Button disabled>Disabled</Button>
          <Button loading aria-label="Sends" />
        </div>
      </Part>
      <Part title="Icons">
        <div className={classes.row}>
          <Logo size={28} />
          {Object.values(screenIcons).map((name) => (
            <Icon key={name} name={name} />
          ))}
        </div>
        <div className={classes.row}>
          {templates.map(({ id }) => (
            <TemplateIcon key={id} id={id} size={24} />
          ))}
        </div>
      </Part>
    </>
  )
}
