import { describeDashboard } from './describe-dashboard.ts'
import { testPlayground } from './playground.ts'

describeDashboard(testPlayground)
