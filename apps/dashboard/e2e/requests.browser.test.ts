import { describeDashboard } from './describe-dashboard.ts'
import { testKeys } from './keys.ts'
import { testRequests } from './requests.ts'

describeDashboard((dashboard) => {
  testRequests(dashboard)
  testKeys(dashboard)
})
