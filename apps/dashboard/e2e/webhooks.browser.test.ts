import { describeDashboard } from './describe-dashboard.ts'
import { testShipments } from './shipments.ts'
import { testWebhooks } from './webhooks.ts'

describeDashboard((dashboard) => {
  testWebhooks(dashboard)
  testShipments(dashboard)
})
