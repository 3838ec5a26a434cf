import { BarChart, LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import '@mantine/core/styles/ColorSwatch.css'
import '@mantine/core/styles/Paper.css'

export type ChartLine = { name: string; label: string; color: string; isBefore?: boolean }
type TimeChartProps = {
  data: Record<string, string | number | null>[]
  lines: readonly ChartLine[]
  label: string
  areBars: boolean
  shown: (value: number) => string
}

/** Bars or lines over time; the arrow keys walk through its points. Fetched when it is shown. */
export default function TimeChart({ data, lines, label, areBars, shown }: TimeChartProps) {
  const series = lines.map(({ name, label: its, color, isBefore }) => ({
    name,
    label: its,
    color,
    ...(isBefore && { strokeDasharray: '4 4' }),
  }))
  const drawn = {
    h: 280,
    data,
    dataKey: 'time',
    withLegend: true,
    legendProps: { verticalAlign: 'bottom' as const },
    valueFormatter: shown,
    xAxisProps: { minTickGap: 24 },
    yAxisProps: { allowDecimals: false, width: 56 },
  }
  const seen = { title: label, accessibilityLayer: true, margin: { right: 8 } }
  if (areBars) {
    return (
      <BarChart
        {...drawn}
        series={lines.map(({ name, label: its, color }) => ({ name, label: its, color }))}
        barProps={{ isAnimationActive: false, radius: 3 }}
        barChartProps={{ ...seen, barGap: 2, barCategoryGap: '24%' }}
      />
    )
  }
  return (
    <LineChart
      {...drawn}
      series={series}
      curveType="linear"
      withDots={data.length <= 62}
      strokeWidth={2}
      connectNulls={false}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={seen}
    />
  )
}
