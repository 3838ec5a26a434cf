import { LineChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import '@mantine/core/styles/ColorSwatch.css'
import '@mantine/core/styles/Paper.css'

export type ChartLine = { name: string; label: string; color: string; isBefore?: boolean }
type TimeChartProps = {
  data: Record<string, string | number | null>[]
  lines: readonly ChartLine[]
  label: string
  shown: (value: number) => string
}

/** Lines over time; the arrow keys walk through its points. Fetched when it is shown. */
export default function TimeChart({ data, lines, label, shown }: TimeChartProps) {
  const series = lines.map(({ name, label: its, color, isBefore }) => ({
    name,
    label: its,
    color,
    ...(isBefore && { strokeDasharray: '4 4' }),
  }))
  return (
    <LineChart
      h={280}
      data={data}
      dataKey="time"
      series={series}
      curveType="linear"
      withDots={data.length <= 62}
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      strokeWidth={2}
      connectNulls={false}
      valueFormatter={shown}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={{ title: label, accessibilityLayer: true, margin: { right: 8 } }}
      xAxisProps={{ minTickGap: 24 }}
      yAxisProps={{ allowDecimals: false, width: 56 }}
    />
  )
}
