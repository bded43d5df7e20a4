import { testAudit } from './audit.ts'
import { describeDashboard } from './describe-dashboard.ts'
import { testLimits } from './limits.ts'
import { testProjects } from './projects.ts'

describeDashboard((dashboard) => {
  testProjects(dashboard)
  testLimits(dashboard)
  testAudit(dashboard)
})
