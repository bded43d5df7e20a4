import { describeDashboard } from './describe-dashboard.ts'
import { testSessions } from './sessions.ts'

describeDashboard(testSessions)
