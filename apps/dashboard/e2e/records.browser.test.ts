import { testAudit } from './audit.ts'
import { describeDashboard } from './describe-dashboard.ts'
import { testKeys } from './keys.ts'
import { testLimits } from './limits.ts'
import { testProjects } from './projects.ts'
import { testRequests } from './requests.ts'
import { testShipments } from './shipments.ts'
import { testWebhooks } from './webhooks.ts'

describeDashboard((dashboard) => {
  testRequests(dashboard)
  testKeys(dashboard)
  testLimits(dashboard)
  testAudit(dashboard)
  testProjects(dashboard)
  testWebhooks(dashboard)
  testShipments(dashboard)
})
