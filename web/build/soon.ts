import { campaignDetailRoutes } from '../../contract/src/campaign-detail.ts'
import { overviewRoutes } from '../../contract/src/overview.ts'
import type { Role } from '../../contract/src/roles.ts'
import { userRoutes } from '../../contract/src/users.ts'
import { voiceCampaignRoutes } from '../../contract/src/voice-campaigns.ts'

/**
 * What a page shows at once although it loads later, so that the budget before the first paint has room. The page names these files, too, after all
 * others: left to the scripts, each is asked for once the one before it has run, and a slow line waits for every step.
 * A part that only an action opens does not belong here. Paths below web/src, areas of texts as i18n/en/….
 */
const everyPage = [
  'api/LiveEvents.tsx',
  'shell/BottomBar.tsx',
  'shell/DemoNote.tsx',
  'shell/Keys.tsx',
  'components/ui/icons/Drawing.tsx',
  'components/ui/toasts/Toasts.tsx',
  'i18n/en/go-to.ts',
]

const dashboard = [
  'i18n/en/overview.ts',
  'i18n/en/voice-campaigns.ts',
  'i18n/en/answers.ts',
  'i18n/en/campaign-actions.ts',
  'screens/dashboard/Running.tsx',
]

/** `data`: the page's first requests, where its address has no query. `:userId` is the account's, other parameters are the address's. */
type Line = { path: string; role?: Role; parts?: readonly string[]; data?: readonly string[] }

/** As a list asks when its address has no query. */
const firstPage = (path: string, sort: string) => `${path}?page=1&pageSize=10&sort=${sort}&order=desc`

const lines: readonly Line[] = [
  {
    path: '/',
    role: 'user',
    data: [userRoutes.dashboard.path, overviewRoutes.own.path],
    parts: [
      ...dashboard,
      'screens/dashboard/ForUser.tsx',
      'screens/voice-campaigns/FewCampaigns.tsx',
      'screens/dashboard/Sending.tsx',
      'i18n/en/sms-campaigns.ts',
    ],
  },
  {
    path: '/',
    role: 'reseller',
    data: [userRoutes.dashboard.path, overviewRoutes.reseller.path],
    parts: [...dashboard, 'screens/dashboard/ForReseller.tsx'],
  },
  {
    path: '/',
    role: 'superAdmin',
    data: [userRoutes.dashboard.path, overviewRoutes.platform.path],
    parts: [...dashboard, 'screens/dashboard/ForOperator.tsx', 'i18n/en/alerts.ts'],
  },
  { path: '/voice-campaign-summary', data: [firstPage(voiceCampaignRoutes.list.path, 'scheduleTime')] },
  {
    path: '/voice-campaign-summary/:campaignId',
    data: [campaignDetailRoutes.detail.path],
    parts: [
      'screens/compose/templates/TemplateIcon.tsx',
      'screens/voice-campaigns/page/Below.tsx',
      'screens/voice-campaigns/page/Answers.tsx',
      'screens/voice-campaigns/page/Attempts.tsx',
      'components/table/filters/FilterBar.tsx',
      'i18n/en/call-report.ts',
      'i18n/en/filters.ts',
    ],
  },
  {
    path: '/add-voice-campaign',
    parts: ['screens/preview-call/Telephone.tsx', 'components/form/select/LoadedSelect.tsx', 'i18n/en/preview-call.ts'],
  },
  {
    path: '/add-sms-campaign',
    parts: [
      'screens/sms-campaigns/compose/FileCounts.tsx',
      'screens/sms-campaigns/compose/SavedTexts.tsx',
      'components/form/select/LoadedSelect.tsx',
    ],
  },
]

/** As the manifest of a build names its modules. */
const below = (parts: readonly string[]): string[] => parts.map((part) => `src/${part}`)

/** What a role's page of a path shows at once, with what every page shows. */
export function soonOn(path: string, role: Role): string[] {
  return below([...linesOf(path, role).flatMap(({ parts = [] }) => parts), ...everyPage])
}

/** The addresses of its first requests. */
export function dataOn(path: string, role: Role): string[] {
  return linesOf(path, role).flatMap(({ data = [] }) => data)
}

const linesOf = (path: string, role: Role) => lines.filter((line) => line.path === path && (line.role ?? role) === role)

/** The modules of each page, every page's first: a module that no screen needs before its first paint is put into one file with the others there. */
export const soonGroups: readonly string[][] = [everyPage, ...lines.map(({ parts = [] }) => parts)].map(below)

/** The groups of the dashboards. */
export const dashboards: ReadonlySet<number> = new Set(
  lines.flatMap(({ path }, index) => (path === '/' ? [index + 1] : [])),
)
