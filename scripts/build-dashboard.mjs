// npm run build: builds the dashboard, and fails if that fails. npm start runs it beside the service.
import { buildDashboard } from './launcher/build-dashboard.mjs'

const stop = new AbortController()
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP', 'SIGINT'])) process.on(signal, () => stop.abort())

if (!(await buildDashboard(process.cwd(), process.execPath, stop.signal))) process.exitCode = 1
