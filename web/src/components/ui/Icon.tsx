import {
  IconAlertTriangle,
  IconBan,
  IconBell,
  IconClockHour4,
  IconCoins,
  IconHandStop,
  IconHistory,
  IconLayoutDashboard,
  IconListDetails,
  IconPalette,
  IconPlus,
  IconReceipt2,
  IconReportMoney,
  IconRouter,
  IconServer2,
  IconSettings,
  IconUpload,
  IconUser,
  IconUsers,
  IconVolume,
} from '@tabler/icons-react'

/** The icons of the sidebar. Elsewhere import from @tabler/icons-react by name. */
const icons = {
  bell: IconBell,
  dashboard: IconLayoutDashboard,
  plus: IconPlus,
  list: IconListDetails,
  upload: IconUpload,
  volume: IconVolume,
  ban: IconBan,
  coins: IconCoins,
  plan: IconReceipt2,
  statement: IconReportMoney,
  server: IconServer2,
  router: IconRouter,
  settings: IconSettings,
  stop: IconHandStop,
  alert: IconAlertTriangle,
  palette: IconPalette,
  clock: IconClockHour4,
  history: IconHistory,
  user: IconUser,
  users: IconUsers,
}
export type IconName = keyof typeof icons

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const Chosen = icons[name]
  return <Chosen size={size} stroke={1.6} aria-hidden />
}
