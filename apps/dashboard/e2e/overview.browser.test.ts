import { describeDashboard } from './describe-dashboard.ts'
import { testLinks } from './links.ts'
import { testOverview } from './overview.ts'

describeDashboard((dashboard) => {
  testOverview(dashboard)
  testLinks(dashboard)
})
