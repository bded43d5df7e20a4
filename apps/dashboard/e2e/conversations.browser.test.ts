import { testConversations } from './conversations.ts'
import { describeDashboard } from './describe-dashboard.ts'

describeDashboard(testConversations)
