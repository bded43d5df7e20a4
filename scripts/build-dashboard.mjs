// npm run build: builds the dashboard, as npm start does, and fails if that fails.
import { buildDashboard } from './launcher/build-dashboard.mjs'

if (!buildDashboard(process.cwd(), process.execPath)) process.exitCode = 1
