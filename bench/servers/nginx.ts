import { chatCompletion, reportUsage } from './report-usage.ts'
import { runNginx } from './run-nginx.ts'
import { upstreamUrl } from './upstream-url.ts'

const { port, child } = await runNginx([upstreamUrl])
child.on('exit', (code) => process.exit(code ?? 1))
reportUsage(port, chatCompletion(), child.pid)
