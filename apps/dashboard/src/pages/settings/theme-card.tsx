import { Card } from '../../components/card.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { setTheme, useTheme } from '../../layout/theme.ts'

export function ThemeCard() {
  const theme = useTheme()
  return (
    <Card title="Theme" description="Remembered in this browser.">
      <Segmented
        label="Theme"
        value={theme}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChange={setTheme}
      />
    </Card>
  )
}
